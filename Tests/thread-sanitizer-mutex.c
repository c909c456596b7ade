// Tells the thread sanitizer about Synchronization.Mutex; scripts/test preloads it.
//
// Where a Mutex is contended, libswiftSynchronization, which is not instrumented, takes it by spinning
// or by FUTEX_LOCK_PI and hands it on by FUTEX_UNLOCK_PI, where the kernel writes the word. The
// sanitizer sees neither, and reports as a race what eight threads do that each add 20 000 times to an
// Int in a Mutex, though the sum is right. With this it reports nothing there, and still reports the
// same Int outside of the Mutex. A suppression could not do that: what was made before it went through
// a Mutex is reported too, with no Mutex in its trace.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

// Null in processes without the sanitizer.
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex
// _MutexHandle._lockSlow(_: UInt32) and _unlockSlow(): what is inlined calls them, so that their
// names are part of the library's binary interface.
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void unlock(SELF) __asm__(UNLOCK);

SWIFT void lock(uint32_t thread, SELF) {
  ((SWIFT void (*)(uint32_t, SELF))dlsym(RTLD_NEXT, LOCK))(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock(SELF) {
  if (__tsan_release) __tsan_release(mutex);
  ((SWIFT void (*)(SELF))dlsym(RTLD_NEXT, UNLOCK))(mutex);
}
