internal import Glibc

/// A POSIX thread: Dispatch and Foundation would cost the command line its quick start, and tasks
/// must not block.
@safe
struct Thread: Sendable {
  private let identifier: pthread_t

  /// Bytes of stack; libcrypto and the resolver need a fraction of it.
  private static let stackBytes = 1 << 20

  /// Starts a thread that no signal is delivered to: they are the main thread's.
  ///
  /// - Throws: ``ProbeFailure/resources(errno:)``.
  init(_ body: @escaping @Sendable () -> Void) throws(ProbeFailure) {
    identifier = try Self.start(body)
  }

  static func startDetached(_ body: @escaping @Sendable () -> Void) throws(ProbeFailure) {
    pthread_detach(try start(body))
  }

  func join() { _ = pthread_join(identifier, nil) }

  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private static func start(_ body: @escaping @Sendable () -> Void) throws(ProbeFailure)
    -> pthread_t
  {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { _ = unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setstacksize(&attributes, stackBytes)
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    // The new thread inherits the mask.
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    var identifier = pthread_t()
    let owned = unsafe Unmanaged.passRetained(Body(body))
    let status = unsafe pthread_create(
      &identifier, &attributes,
      { context in
        if let context = unsafe context {
          unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        }
        return nil
      }, owned.toOpaque())
    guard status == 0 else {
      unsafe owned.release()
      throw .resources(errno: status)
    }
    return identifier
  }
}
