import COTPHiredis

/// One answer of the server.
struct RedisReply: ~Copyable {
  private let reply: UnsafeMutablePointer<redisReply>

  /// Takes over a reply of hiredis.
  init(_ reply: UnsafeMutablePointer<redisReply>) {
    self.reply = reply
  }

  deinit {
    freeReplyObject(reply)
  }

  enum Kind {
    case text, null
    case refusal(Refusal)
    case other
  }

  var kind: Kind {
    switch reply.pointee.type {
    case REDIS_REPLY_STRING, REDIS_REPLY_STATUS: .text
    case REDIS_REPLY_NIL: .null
    case REDIS_REPLY_ERROR: .refusal(withText { Refusal($0) })
    default: .other
    }
  }

  /// Lends the text of the reply; it is empty unless the kind is a text or a refusal.
  func withText<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    let text = UnsafeRawBufferPointer(
      start: reply.pointee.str, count: reply.pointee.str == nil ? 0 : reply.pointee.len)
    return text.withMemoryRebound(to: UInt8.self, body)
  }
}

/// The server's reason for not doing what a command asks.
///
/// Only its first word is kept, which is a name for the kind of error: the rest may repeat arguments.
struct Refusal: Equatable {
  let word: String

  init(_ text: UnsafeBufferPointer<UInt8>) {
    let word = text.prefix { $0 != UInt8(ascii: " ") }
    let isName = word.count <= 20 && word.allSatisfy { (65...90).contains($0) }
    self.word = isName && !word.isEmpty ? String(decoding: word, as: UTF8.self) : "ERR"
  }

  /// The server has forgotten the script, and the call was not executed.
  var isForgottenScript: Bool { word == "NOSCRIPT" }

  var message: String {
    let reason =
      switch word {
      case "OOM": "its memory limit is reached"
      case "READONLY": "it is a read-only replica"
      case "LOADING": "it is loading its data"
      case "MISCONF": "it cannot save its data"
      case "NOREPLICAS": "it has too few replicas"
      case "MASTERDOWN": "it is a replica whose master is down"
      case "BUSY": "it is busy with a script"
      case "NOAUTH": "it wants a password"
      case "WRONGPASS": "user or password are wrong"
      case "NOPERM": "the user lacks a permission"
      case "MOVED", "ASK", "CLUSTERDOWN", "CROSSSLOT", "TRYAGAIN":
        "it belongs to a cluster, and the key to another server"
      case "WRONGTYPE": "the key holds no state of a credential"
      default: "an error of another kind"
      }
    return "Redis refused: \(reason) (\(word))"
  }
}
