/* From a page to what it says of one source. */
#ifndef AGENT_SANDBOXES_SOURCE_RESULT_H
#define AGENT_SANDBOXES_SOURCE_RESULT_H

#include "page_text.h"
#include "source_check.h"

/* The words of one page, read in each way that makes sense for it; made on demand. */
struct page_readings {
    const struct crawl_page *page;
    bool is_text;
    size_t count;
    struct buf words[3];
};

/* False: no memory. */
bool page_readings_make(struct page_readings *readings, const struct crawl_page *page,
                        struct error *error) MUST_USE;
void page_readings_free(struct page_readings *readings);

/* The result for a row of the table source. remembered is an earlier result for the same address
 * and passage, or NULL. The caller owns it. */
json_t *source_result(const json_t *source, const struct page_readings *readings,
                      const json_t *remembered, const char *today) MUST_USE;

#endif
