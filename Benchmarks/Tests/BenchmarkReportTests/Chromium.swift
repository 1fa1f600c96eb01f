import Foundation

/// A browser without a window, spoken to by the DevTools protocol over two pipes.
final class Chromium {
  private let process = Process()
  private let folder: URL
  private let input: FileHandle
  private let output: FileHandle
  private var received = Data()
  private var lastID = 0
  private var session: String?

  /// What the browser told without being asked, by the name of the event.
  private(set) var events: [(method: String, parameters: [String: Any])] = []

  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("chromium-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let pipes = [
      folder.appendingPathComponent("in").path, folder.appendingPathComponent("out").path,
    ]
    for pipe in pipes {
      guard mkfifo(pipe, 0o600) == 0 else { throw Fault(description: "no pipe") }
    }
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    // The browser reads from descriptor 3 and writes to 4. Tests of containers run as root, where its own sandbox
    // does not work; it opens nothing but the pages of the tests.
    process.arguments = [
      "-c", #"exec chromium "$@" 3<"$0/in" 4>"$0/out""#, folder.path, "--headless=new",
      "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
      "--user-data-dir=\(folder.path)/profile", "--hide-scrollbars", "--force-color-profile=srgb",
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    // Without a reader at the other end, writing fails instead of ending the process.
    signal(SIGPIPE, SIG_IGN)
    try process.run()
    input = try FileHandle(forWritingTo: URL(fileURLWithPath: pipes[0]))
    output = try FileHandle(forReadingFrom: URL(fileURLWithPath: pipes[1]))
    // A browser that hangs is ended, and whoever waits for it is told that it has.
    DispatchQueue.global().asyncAfter(deadline: .now() + 120) { [process] in
      if process.isRunning { process.terminate() }
    }
    let target = try send("Target.createTarget", ["url": "about:blank"])
    let attached = try send(
      "Target.attachToTarget", ["targetId": target["targetId"] ?? "", "flatten": true])
    session = attached["sessionId"] as? String
    for domain in ["Page", "Runtime", "Log", "Network"] { try send("\(domain).enable") }
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Opens a page and waits until it is loaded.
  func open(_ file: URL) throws {
    events = []
    try send("Page.navigate", ["url": file.absoluteString])
    while !events.contains(where: { $0.method == "Page.loadEventFired" }) { try receive() }
  }

  func emulate(width: Int, height: Int = 900, isDark: Bool) throws {
    try send(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
    try send(
      "Emulation.setEmulatedMedia",
      ["features": [["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]]])
  }

  /// - Returns: the value of a JavaScript expression.
  func evaluate(_ expression: String) throws -> Any? {
    let answer = try send(
      "Runtime.evaluate", ["expression": expression, "returnByValue": true])
    if let exception = answer["exceptionDetails"] { throw Fault(description: "\(exception)") }
    return (answer["result"] as? [String: Any])?["value"]
  }

  /// - Returns: a PNG of the whole page.
  func screenshot() throws -> Data {
    let answer = try send(
      "Page.captureScreenshot", ["format": "png", "captureBeyondViewport": true])
    guard let text = answer["data"] as? String, let data = Data(base64Encoded: text) else {
      throw Fault(description: "no screenshot")
    }
    return data
  }

  @discardableResult
  private func send(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
    lastID += 1
    var message: [String: Any] = ["id": lastID, "method": method, "params": parameters]
    message["sessionId"] = session
    try input.write(contentsOf: JSONSerialization.data(withJSONObject: message) + [0])
    while true {
      guard let answer = try receive() else { continue }
      guard answer["id"] as? Int == lastID else { continue }
      if let error = answer["error"] { throw Fault(description: "\(method): \(error)") }
      return answer["result"] as? [String: Any] ?? [:]
    }
  }

  /// Reads the next message, which ends in a zero byte.
  /// - Returns: it, or nil when it is an event, which is kept.
  @discardableResult
  private func receive() throws -> [String: Any]? {
    while true {
      if let end = received.firstIndex(of: 0) {
        let message = received[..<end]
        received = Data(received[(end + 1)...])
        guard let object = try JSONSerialization.jsonObject(with: message) as? [String: Any] else {
          throw Fault(description: "no message")
        }
        guard let method = object["method"] as? String else { return object }
        events.append((method, object["params"] as? [String: Any] ?? [:]))
        return nil
      }
      let more = output.availableData
      guard !more.isEmpty else {
        throw Fault(description: "chromium is not there, failed or took longer than two minutes")
      }
      received += more
    }
  }
}
