/// Allocations that this thread has made so far, in whatever language.
///
/// The functions of malloc.h are defined again beside it, so that every allocation of the process is
/// counted; under a sanitizer, which defines them too, the count stays 0.
unsigned long allocation_count(void);
