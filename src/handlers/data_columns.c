/* What the files below /data/ are: the one list that the files themselves, datapackage.json and
 * SHA256SUMS are made from. */
#include "data_file.h"
#include <string.h>

static const struct data_column fact_columns[] = {
    {"id", "string", "provider:attribute, or provider/offering:attribute"},
    {"provider", "string", "Slug of the provider"},
    {"offering", "string", "Slug of the offering that the fact is of; empty: of the provider"},
    {"attribute", "string", "Key of the attribute: see attributes.json"},
    {"state", "string", "documented, not_applicable or not_documented"},
    {"value", "string",
     "The value as data: numbers as decimals, durations in seconds or unlimited, lists joined by "
     "a semicolon and a blank; empty unless documented"},
    {"text", "string", "The value in words"},
    {"detail", "string", "What the source says beyond the value"},
    {"note", "string", "How the value was read"},
    {"basis", "string", "vendor-stated, vendor-claim, repo, third-party or inferred"},
    {"source_id", "string", "Id of the source: see sources.csv"},
    {"source_url", "string", "Address of the source"},
    {"source_title", "string", "Title of the source"},
    {"source_publisher", "string", "Publisher of the source"},
    {"source_kind", "string", "Kind of the source"},
    {"source_copy_date", "string", "Day or month of the copy that was read"},
    {"source_accessed_on", "date", "Day on which the source was read"},
    {"source_verified_on", "date", "Day on which the passage was last found"},
    {"checked_on", "date", "Day on which the value was checked"},
    {"review_by", "date", "Day by which the value should be looked at again"},
    {"stale", "boolean", "Whether that day has passed"},
    {"valid_from", "date", "Day since which the value is recorded"},
    {0}};

static const struct data_column source_columns[] = {
    {"id", "string", "Id of the source"},
    {"url", "string", "Address"},
    {"title", "string", "Title"},
    {"publisher", "string", "Publisher"},
    {"kind", "string",
     "docs, repo, third-party, blog, changelog, pricing, advisory, spec or paper"},
    {"copy_date", "string", "Day or month of the copy that was read"},
    {"accessed_on", "date", "Day on which it was read"},
    {"verified_on", "date", "Day on which the passage was last found"},
    {"via", "string", "How it was read, where not directly"},
    {"quote_words", "integer", "Words of the passage that the fingerprint is of"},
    {"quote_sha256", "string", "SHA-256 of those words"},
    {"state", "string",
     "verified: the passage was found again; unchecked: it was not looked for; no-passage: there "
     "is no fingerprint to look for; changed, redirected, blocked, gone, unreachable: what the "
     "last "
     "check found instead"},
    {"failed_on", "date", "Day of that check; empty: it did not fail"},
    {"failure", "string", "What was wrong, in words"},
    {"exempt_until", "date", "Last day on which the source is not checked"},
    {"exemption", "string", "Why it is not"},
    {0}};

static const struct data_column measurement_columns[] = {
    {"provider", "string", "Slug of the provider"},
    {"mode", "string", "sequential, staggered or burst"},
    {"day", "date", "Day of the runs"},
    {"runs", "integer", "Runs of that day"},
    {"median_ms", "number", "Median start time in milliseconds"},
    {"p95_ms", "number", "95th percentile in milliseconds"},
    {"p99_ms", "number", "99th percentile in milliseconds"},
    {"success_rate", "number", "Share of runs that succeeded, 0 to 1"},
    {"source", "string", "Id of the source"},
    {0}};

const struct data_column data_provider_columns[] = {
    {"provider", "string", "Slug of the provider"},
    {"provider_name", "string", "Name of the provider"},
    {"offering", "string", "Slug of the offering; empty: the provider has only one"},
    {"offering_name", "string", "Name of what is on sale"},
    {"stage", "string", "Release stage; empty: not documented"},
    {"is_default", "boolean", "Whether a new user gets this one"},
    {"vendor", "string", "Who sells it"},
    {"kind", "string", "hosted, cloud-service, local-tool or self-hostable"},
    {"status", "string", "active, winding-down or discontinued"},
    {"homepage", "string", "Address of the product"},
    {"docs_url", "string", "Address of its documentation"},
    {"pricing_url", "string", "Address of its prices"},
    {"repo_url", "string", "Address of its source code"},
    {"summary", "string", "What it is, in a sentence or two"},
    {"last_reviewed", "date", "Day of its newest review"},
    {0}};

const struct data_column data_fact_suffixes[] = {
    {"", "string", "The value as data; empty unless documented"},
    {"_state", "string", "documented, not_applicable or not_documented"},
    {"_basis", "string", "How it is known"},
    {"_source", "string", "Id of the source: see sources.csv"},
    {"_checked_on", "date", "Day on which it was checked"},
    {0}};

const struct data_file data_files[] = {
    {"/data/providers.json", "Providers",
     "Everything about every provider: facts, offerings, conflicts, events and sources", NULL, NULL,
     NULL, "/data/providers.schema.json", false},
    {"/data/providers.csv", "Providers, wide",
     "One row for each thing on sale: an offering, or a provider without offerings; its own facts, "
     "else its provider's",
     data_provider_columns, "provider offering", NULL, NULL, false},
    {"/data/facts.json", "Facts", "Every current fact with its receipt", NULL, NULL, NULL,
     "/data/facts.schema.json", false},
    {"/data/facts.csv", "Facts, long", "One row for each current fact, with its receipt",
     fact_columns, "id", "source_id", NULL, false},
    {"/data/sources.json", "Sources", "Every source", NULL, NULL, NULL, "/data/sources.schema.json",
     false},
    {"/data/sources.csv", "Sources as a table", "Every source", source_columns, "id", NULL, NULL,
     false},
    {"/data/measurements.json", "Measured start times", "Every measured day", NULL, NULL, NULL,
     "/data/measurements.schema.json", true},
    {"/data/measurements.csv", "Measured start times as a table", "Every measured day",
     measurement_columns, "provider mode day", "source", NULL, true},
    {"/data/attributes.json", "Attributes",
     "Every question that is asked of each provider, with its type, unit and allowed values", NULL,
     NULL, NULL, "/data/attributes.schema.json", false},
    {"/data/glossary.json", "Glossary", "Every term, with sourced statements", NULL, NULL, NULL,
     "/data/glossary.schema.json", false},
    {"/data/catalogue.sqlite", "The whole catalogue",
     "The database that everything is served from, as it is", NULL, NULL, NULL, NULL, false},
};

const size_t data_file_count = ARRAY_LENGTH(data_files);

const struct data_file *data_file_at(const char *path) {
    for (size_t i = 0; i < data_file_count; i++) {
        if (strcmp(data_files[i].path, path) == 0) {
            return &data_files[i];
        }
    }
    return NULL;
}
