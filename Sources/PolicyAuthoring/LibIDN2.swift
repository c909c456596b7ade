import CIDN2
import Glibc

/// libidn2, loaded when the first name needs it.
///
/// Linked, it and its tables of Unicode would cost every run of a command a quarter of a
/// millisecond, also of one that meets ASCII alone (docs/decisions/0001-dependencies.md).
@safe struct LibIDN2: Sendable {
  private let lookup: pin_idn2_lookup
  private let free: pin_idn2_free
  private let strerror: pin_idn2_strerror

  /// The library, or what the loader said about its absence.
  static let shared: Result<LibIDN2, Absence> = load("libidn2.so.0")

  struct Absence: Error, Equatable {
    let reason: String
  }

  static func load(_ name: String) -> Result<LibIDN2, Absence> {
    guard let library = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL),
      let lookup = unsafe dlsym(library, "idn2_lookup_u8"),
      let free = unsafe dlsym(library, "idn2_free"),
      let strerror = unsafe dlsym(library, "idn2_strerror")
    else {
      let reason = unsafe dlerror().map { unsafe String(cString: $0) }
      return .failure(Absence(reason: reason ?? "not found"))
    }
    // The types are those that idn2.h declares; the library stays loaded, as the pointers do.
    return .success(
      unsafe LibIDN2(
        lookup: unsafeBitCast(lookup, to: pin_idn2_lookup.self),
        free: unsafeBitCast(free, to: pin_idn2_free.self),
        strerror: unsafeBitCast(strerror, to: pin_idn2_strerror.self)))
  }

  /// What libidn2 does not convert, in its words.
  struct Refused: Error, Equatable {
    let reason: String
  }

  /// The name with its U-labels mapped per UTS 46, non-transitionally, and converted to A-labels.
  ///
  /// The flag stands alone: with IDN2_USE_STD3_ASCII_RULES libidn2 2.3.3 drops characters silently.
  /// So the result may hold any ASCII character and must be checked by the caller.
  /// - Parameter name: without U+0000, which would end it for C.
  func asciiForm(of name: String) throws(Refused) -> String {
    var converted: UnsafeMutablePointer<UInt8>?
    let status = unsafe (Array(name.utf8) + [0]).withUnsafeBufferPointer { bytes in
      unsafe lookup(bytes.baseAddress, &converted, Int32(IDN2_NONTRANSITIONAL.rawValue))
    }
    defer { unsafe free(converted) }
    guard status == IDN2_OK.rawValue, let text = unsafe converted else {
      let reason = unsafe strerror(status).map { unsafe String(cString: $0) }
      throw Refused(reason: reason ?? "error \(status)")
    }
    return unsafe String(cString: text)
  }
}
