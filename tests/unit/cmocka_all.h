/* cmocka.h and what it wants before it, in this order. */
#ifndef AGENT_SANDBOXES_CMOCKA_ALL_H
#define AGENT_SANDBOXES_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
