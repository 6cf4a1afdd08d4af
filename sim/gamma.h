/* gamma.h - kept for those who knew these functions here. */
#ifndef HC_SIM_GAMMA_H
#define HC_SIM_GAMMA_H

#include "core/gamma_function.h"

#endif
