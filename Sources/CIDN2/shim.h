#ifndef PIN_POLICY_CIDN2_SHIM_H
#define PIN_POLICY_CIDN2_SHIM_H

#include <idn2.h>

/* What PolicyAuthoring looks up in the library at run time, in the types that the header declares. */
typedef __typeof__(&idn2_lookup_u8) pin_idn2_lookup;
typedef __typeof__(&idn2_strerror) pin_idn2_strerror;
typedef __typeof__(&idn2_free) pin_idn2_free;

#endif
