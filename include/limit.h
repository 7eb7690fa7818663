/* Every maximum of the program, named once, with its reason. */

#ifndef AGENT_SANDBOXES_LIMITS_H
#define AGENT_SANDBOXES_LIMITS_H

enum {
    /* Request line: the longest honest question (every filterable attribute with several values)
       stays below 4 KiB (--target-bytes lowers it). */
    LIMIT_TARGET_BYTES = 4 * 1024,
    /* Path segments of the deepest page are three; the rest is room. */
    LIMIT_PATH_SEGMENTS = 8,
    /* Pairs in one query string, repetitions counted: two for each filterable attribute, and what a
       connection's memory holds. */
    LIMIT_QUERY_PAIRS = 100,
    /* Request line and headers of one request, and the answer's headers: browsers send below 3 KiB.
     * Each open connection holds as much, idle ones too, and the library clears it between
     * requests, so it is no larger than it must be (--head-bytes). */
    LIMIT_CONNECTION_BYTES = 10 * 1024,
    /* The file of a private overlay, and the steps of SQLite that its SQL may take: hundreds of
       negotiated prices, and a second of computing. */
    LIMIT_OVERLAY_BYTES = 1024 * 1024,
    LIMIT_OVERLAY_STEPS = 20 * 1000 * 1000,
    /* The only body that is read is the one of POST /mcp (--body-bytes lowers it). */
    LIMIT_BODY_BYTES = 256 * 1024,
    /* How deep its arrays and objects may nest: tool arguments need four. */
    LIMIT_BODY_DEPTH = 32,
    /* The compact text of an answer over MCP that does not ask for everything: 1,500 tokens, of
     * which one has little more than three bytes where days and addresses stand close. */
    LIMIT_MCP_BRIEF_BYTES = 4300,
    /* Connections at once (--connections): each costs LIMIT_CONNECTION_BYTES at the most. */
    LIMIT_CONNECTIONS = 12000,
    /* Connections at once of one address, which may be an office behind one router
       (--address-connections). */
    LIMIT_ADDRESS_CONNECTIONS = 512,
    /* Addresses that are remembered for the two limits per address; beyond, new ones share one. */
    LIMIT_PEERS = 64 * 1024,
    /* Seconds without progress after which a connection is closed. */
    LIMIT_IDLE_SECONDS = 15,
    /* Seconds in all that a request's head, and then its body, may take (--head-seconds): a head is
       one packet, a body 256 KiB, and a dripping client must not hold a connection. */
    LIMIT_HEAD_SECONDS = 10,
    /* Seconds in all that an answer may take to leave, and what it must carry a second beyond: a
       client that reads slowly on purpose is cut, one on a bad line is not. */
    LIMIT_SEND_SECONDS = 30,
    LIMIT_SEND_BYTES_PER_SECOND = 8 * 1024,
    /* Bytes of an answer that wait in the kernel beyond what is on its way: a client that does not
       read would otherwise fill megabytes of it. */
    LIMIT_UNSENT_BYTES = 128 * 1024,
    /* Seconds that a stop waits for requests in progress. */
    LIMIT_DRAIN_SECONDS = 10,
    /* One answer, before it is compressed. */
    LIMIT_ANSWER_BYTES = 64 * 1024 * 1024,
    /* Answers (things on sale times questions) that a file of all facts holds: thirty times those
       of the built-in catalogue are 57 MB of JSON. */
    LIMIT_DATA_ANSWERS = 80 * 1000,
    /* Finished answers kept per generation. */
    LIMIT_CACHE_BYTES = 10 * 1024 * 1024,
    /* Past days kept ready for feeds, each at the cost of one index; a feed looks back over as many
       days on which something changed. */
    LIMIT_PAST_DAYS = 64,
    /* Entries of a feed: what a reader who looks in once a month has not seen. */
    LIMIT_FEED_ENTRIES = 200,
    /* Past days (as_of) kept ready: a reader looks at a few, and goes from page to page of one. */
    LIMIT_PAST_EDITIONS = 16,
    /* Their images together; one is kept whatever it takes. */
    LIMIT_PAST_BYTES = 64 * 1024 * 1024,
    /* Finished answers kept for each of them. */
    LIMIT_PAST_CACHE_BYTES = 1024 * 1024,
    /* Past days asked for that are not ready: one is made at a time, in some tenths of a second. */
    LIMIT_PAST_WANTED = 4,
    /* Requests that wait for them; whoever comes later is asked to come back. */
    LIMIT_PAST_WAITERS = 64,
    /* Seconds after which they are asked to. */
    LIMIT_PAST_RETRY_SECONDS = 2,
    /* A new generation is served after this, with what was made of it by then: a change should be
     * seen soon, and what people read is made in less. */
    LIMIT_REFILL_MS = 3000,
    /* Providers in one comparison: more columns than this cannot be read. */
    LIMIT_COMPARED = 6,
    /* A page of matches: limit= may ask for fewer or more, but not for more than the maximum. */
    LIMIT_PAGE_ROWS = 50,
    LIMIT_PAGE_ROWS_MAX = 500,
    /* Values of one attribute that an answer counts: a form with more cannot be read. Those of a
       fixed vocabulary are counted all. */
    LIMIT_FACET_VALUES = 100,
    /* Words of q=: more than a reader types. */
    LIMIT_SEARCH_WORDS = 16,
    /* What a search takes and lists: more words than this are no question, more results no answer.
     */
    LIMIT_SEARCH_BYTES = 200,
    LIMIT_SEARCH_RESULTS = 50,
    /* A file that --db names: a thousand times the built-in catalogue is about 1 GiB. */
    LIMIT_CATALOGUE_BYTES = 2000 * 1024 * 1024,
    /* A template or asset file read from --templates or --public. */
    LIMIT_FILE_BYTES = 8 * 1024 * 1024,
    /* One page of a source, decoded: the longest documentation pages on one page are below 4 MiB.
     */
    LIMIT_FETCH_BYTES = 8 * 1024 * 1024,
    /* The fields of one answer, and one field that is sent. */
    LIMIT_FETCH_HEADER_BYTES = 256 * 1024,
    /* RFC 9309 asks for 500 KiB at least. */
    LIMIT_ROBOTS_BYTES = 512 * 1024,
    /* A host that does not take a connection in so long is down. */
    LIMIT_CONNECT_MS = 15 * 1000,
    /* Redirects of one page; RFC 9309 names five for robots.txt. */
    LIMIT_REDIRECTS = 10,
    LIMIT_ROBOTS_REDIRECTS = 5,
    /* Tries of one request in all. */
    LIMIT_FETCH_TRIES = 4,
    /* A host that asks for a longer wait than this is left alone for this run. */
    LIMIT_RETRY_AFTER_SECONDS = 120,
    /* Hosts that are asked at the same time. */
    LIMIT_FETCH_PARALLEL = 8,
    /* The remembered results of `sources check`. */
    LIMIT_JOURNAL_BYTES = 64 * 1024 * 1024,
};

#endif
