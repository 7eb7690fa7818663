#ifndef AGENT_SANDBOXES_THREAD_H
#define AGENT_SANDBOXES_THREAD_H

/* Lets threads that answer requests go before the calling one, for good. Where the system refuses,
 * they do not. */
void thread_step_back(void);

#endif
