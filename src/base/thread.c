#include "thread.h"
#include <sys/resource.h>
#include <unistd.h>

void thread_step_back(void) {
    enum { NICE = 5 };
    (void)setpriority(PRIO_PROCESS, (id_t)gettid(), NICE);
}
