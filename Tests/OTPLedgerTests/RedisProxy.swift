import Foundation
import OTPTestSupport
import Synchronization

/// A port on loopback from which connections go on to a server's socket, with the faults of a network.
final class RedisProxy: Sendable {
  enum Fault: Equatable {
    case none

    /// Requests go on; when there is something to answer, both ends are cut.
    case answersCut

    /// As many bytes of requests go on, then both ends are cut.
    case requestsCut(after: Int)

    /// Answers come by single bytes, twenty milliseconds from each other.
    case answersTrickle

    /// Answers are those of another protocol.
    case answersForeign
  }

  let port: Int
  private let listener: Int32
  private let path: String
  private let fault = Mutex(Fault.none)
  private let connections = Mutex(0)

  init(to server: RedisServer) throws {
    path = server.socket
    (listener, port) = try loopbackListener(backlog: 16)
    Thread.detachNewThread { [self] in
      while true {
        let client = accept(listener, nil, nil)
        if client < 0 { return }
        connections.withLock { $0 += 1 }
        Thread.detachNewThread { [self] in serve(client) }
      }
    }
  }

  /// Takes no further connections.
  func close() {
    shutdown(listener, Int32(SHUT_RDWR))
    Foundation.close(listener)
  }

  /// What happens from now on.
  func set(_ fault: Fault) {
    self.fault.withLock { $0 = fault }
  }

  /// How many connections were made so far.
  var connectionCount: Int { connections.withLock { $0 } }

  private func serve(_ client: Int32) {
    let server = connected(to: path)
    defer {
      Foundation.close(client)
      Foundation.close(server)
    }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      var ends = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&ends, 2, -1) > 0 else { return }
      if ends[0].revents != 0 {
        let count = read(client, &buffer, buffer.count)
        guard count > 0 else { return }
        if case .requestsCut(let limit) = fault.withLock({ $0 }) {
          let passed = min(count, limit)
          pass(buffer[..<passed], to: server)
          guard passed < limit else { return }
          set(.requestsCut(after: limit - passed))
        } else {
          pass(buffer[..<count], to: server)
        }
      }
      if ends[1].revents != 0 {
        let count = read(server, &buffer, buffer.count)
        guard count > 0 else { return }
        switch fault.withLock({ $0 }) {
        case .none, .requestsCut: pass(buffer[..<count], to: client)
        case .answersCut: return
        case .answersForeign: pass(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)[...], to: client)
        case .answersTrickle:
          for byte in buffer[..<count] {
            guard pass([byte], to: client) else { return }
            usleep(20_000)
          }
        }
      }
    }
  }
}

/// A socket that listens on a free loopback port.
func loopbackListener(backlog: Int32) throws -> (socket: Int32, port: Int) {
  let listener = socket(AF_INET, streamType, 0)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = inet_addr("127.0.0.1")
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let size = length
  let isListening = withUnsafeMutablePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(listener, $0, size) == 0 && listen(listener, backlog) == 0
        && getsockname(listener, $0, &length) == 0
    }
  }
  guard isListening else { throw RunFailure("no port to listen at") }
  return (listener, Int(UInt16(bigEndian: address.sin_port)))
}

private let streamType = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)

/// A new connection to a UNIX socket.
private func connected(to path: String) -> Int32 {
  let end = socket(AF_UNIX, streamType, 0)
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  _ = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(end, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
  return end
}

@discardableResult
private func pass(_ bytes: ArraySlice<UInt8>, to end: Int32) -> Bool {
  var rest = bytes
  while !rest.isEmpty {
    let sent = rest.withUnsafeBytes { send(end, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    guard sent > 0 else { return false }
    rest = rest.dropFirst(sent)
  }
  return true
}
