import Foundation

/// Why Foundation could not read or write a file, in the system's words: its own begin with "The operation could not be
/// completed", and name no file.
package func fileSystemReason(_ error: any Error) -> String {
  guard let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code else {
    return error.localizedDescription
  }
  return String(cString: strerror(code.rawValue))
}
