#ifndef PIN_POLICY_CIDN2_SHIM_H
#define PIN_POLICY_CIDN2_SHIM_H

#include <idn2.h>

#endif
