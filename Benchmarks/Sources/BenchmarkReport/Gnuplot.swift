import BenchmarkResults
import Foundation

/// Draws with gnuplot, a program of its own.
enum Gnuplot {
  private enum Format: String {
    case svg, png

    func terminal(_ drawing: Drawing) -> String {
      switch self {
      case .svg:
        "svg noenhanced size \(drawing.width),\(drawing.height) font 'sans-serif,\(Drawing.fontSize)'"
      case .png:
        // Twice the size, for displays that have twice the pixels.
        "pngcairo noenhanced size \(2 * drawing.width),\(2 * drawing.height) fontscale 1.6 linewidth 2 "
          + "pointscale 2 background '#ffffff' font 'sans-serif,\(Drawing.fontSize * 3 / 4)'"
      }
    }

    func commands(_ drawing: Drawing) -> String {
      guard self == .png else { return drawing.commands }
      // Nobody chooses the theme of a picture made of pixels.
      return Ink.all.reduce(drawing.commands) { commands, ink in
        commands.replacing(ink.gnuplot, with: ink.light)
          .replacing(ink.value, with: "0x" + ink.light.dropFirst())
      }
    }
  }

  /// - Returns: for each drawing, what gnuplot wrote.
  static func svg(_ drawings: [Drawing]) throws(ReportError) -> [Data] {
    try draw(drawings, as: .svg)
  }

  static func png(_ drawing: Drawing) throws(ReportError) -> Data {
    try draw([drawing], as: .png)[0]
  }

  private static func draw(_ drawings: [Drawing], as format: Format) throws(ReportError) -> [Data] {
    guard !drawings.isEmpty else { return [] }
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appendingPathComponent("otp-bench-\(UUID())")
    do {
      try manager.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? manager.removeItem(at: folder) }
      let script = drawings.enumerated().map { index, drawing in
        """
        reset
        set encoding utf8
        set terminal \(format.terminal(drawing))
        set output '\(index)'
        \(format.commands(drawing))
        unset output

        """
      }.joined()
      try Data(script.utf8).write(to: folder.appendingPathComponent("script"))
      try run(in: folder)
      return try drawings.indices.map { index in
        try Data(contentsOf: folder.appendingPathComponent("\(index)"))
      }
    } catch let error as ReportError {
      throw error
    } catch {
      throw ReportError("charts cannot be drawn: \(fileSystemReason(error))")
    }
  }

  private static func run(in folder: URL) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // -d: nobody's own settings.
    process.arguments = ["gnuplot", "-d", "script"]
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    let complaints = Pipe()
    process.standardError = complaints
    try process.run()
    let text = complaints.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    switch process.terminationStatus {
    case 0: return
    case 127: throw ReportError("gnuplot is not there; Debian's package is gnuplot-nox")
    default:
      let lines = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
      throw ReportError("gnuplot failed: \(lines.joined(separator: " "))")
    }
  }
}

/// Why there is no report.
package struct ReportError: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
