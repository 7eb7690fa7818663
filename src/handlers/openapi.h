/* The description of every address, made from the route table and the live catalogue. Private to
 * src/handlers. */
#ifndef AGENT_SANDBOXES_OPENAPI_H
#define AGENT_SANDBOXES_OPENAPI_H

#include "handler.h"
#include "route.h"

/* The version of what is promised: its first number changes where something is taken away. */
#define OPENAPI_VERSION "1.0.0"

/* The OpenAPI 3.1 document. The caller owns it. */
json_t *openapi_model(const struct call *call, struct error *error) MUST_USE;

/* components.parameters: every parameter that attributes give, by name ("isolation",
 * "must.isolation", "w.isolation"). components.schemas gets what their values are. Both are filled;
 * false: out of memory. */
bool openapi_add_conditions(const struct catalogue_index *index, json_t *parameters,
                            json_t *schemas) MUST_USE;

/* Appends references to the parameters that conditions give to list; false: out of memory. */
bool openapi_refer(enum route_conditions conditions, const json_t *parameters,
                   json_t *list) MUST_USE;

/* A parameter of the table as an OpenAPI object. NULL: error is set. The caller owns it. */
json_t *openapi_parameter(const struct call *call, const struct route_parameter *parameter,
                          struct error *error) MUST_USE;

#endif
