# A cache in front of replicas (docker/haproxy.cfg) that serve with --surrogate-keys. See docs/scaling.md.
#     varnishd -f docker/varnish.vcl -p http_gzip_support=off -p workspace_backend=256k -p timeout_idle=30
# with haproxy known as a host; needs the package varnish-modules. Codings are the server's; the workspace has room for four tries; idle connections outlive those of nginx-tls.conf.
#
# The server's Cache-Control rules how long an answer lives, and for how long it may be served while it is fetched anew. On top of that, an
# edition (catalogue, day and program, named by Surrogate-Key) is never followed by an older one: it is part of the key of every object, and
# Surrogate-Order tells which of two is newer.
vcl 4.1;

import std;
import var;
import xkey;

backend haproxy {
    .host = "haproxy";
    .port = "8081";
    .connect_timeout = 1s;
    .first_byte_timeout = 30s;
    .between_bytes_timeout = 10s;
    .probe = {
        .url = "/haproxy";
        .interval = 1s;
        .timeout = 1s;
        .window = 3;
        .threshold = 1;
        .initial = 1;
    }
}

# The forms that the server knows, one spelling each, so that browsers share objects. A list with weights is left as it is.
sub spell_codings {
    if (req.http.Range) {
        # Parts are parts of the plain form.
        unset req.http.Accept-Encoding;
    } elsif (req.http.Accept-Encoding !~ ";") {
        if (req.http.Accept-Encoding ~ "(^|[, ])br($|[, ])") {
            set req.http.Accept-Encoding = "br";
        } elsif (req.http.Accept-Encoding ~ "(^|[, ])zstd($|[, ])") {
            set req.http.Accept-Encoding = "zstd";
        } elsif (req.http.Accept-Encoding ~ "(^|[, ])gzip($|[, ])") {
            set req.http.Accept-Encoding = "gzip";
        } else {
            unset req.http.Accept-Encoding;
        }
    }
}

# Browsers ask for pages with a long list that begins alike, and for what a page needs with */*.
sub spell_media {
    if (req.http.Accept ~ "^text/html,application/xhtml\+xml,application/xml;q=0\.9,") {
        set req.http.Accept = "text/html, */*;q=0.8";
    } elsif (req.http.Accept == "*/*") {
        unset req.http.Accept;
    }
}

# What campaigns add to addresses; the server passes over it.
sub spell_target {
    if (req.url ~ "[?&]utm_") {
        set req.url = regsuball(req.url, "([?&])(utm_[^&]*&?)+", "\1");
        set req.url = regsub(req.url, "[?&]+$", "");
    }
}

# Nobody can reach what is kept of the edition before: it goes. (Only requests of clients may purge.)
sub purge_retired {
    if (var.global_get("retired")) {
        std.log("edition " + var.global_get("edition") + ": " + xkey.purge(var.global_get("retired")) + " objects purged of the one before");
        var.global_set("retired", "");
    }
}

sub vcl_recv {
    call purge_retired;
    # Nothing depends on who asks.
    unset req.http.Cookie;
    unset req.http.Authorization;
    # These two are the cache's own words.
    unset req.http.Surrogate-Key;
    set req.http.X-Edition = var.global_get("edition");
    if (!req.http.Host && req.proto == "HTTP/1.1") {
        return (synth(400));
    }
    if (req.method != "GET" && req.method != "HEAD") {
        # The server's own limit; kept, so that the request can be sent again.
        if (req.http.Content-Length || req.http.Transfer-Encoding) {
            if (!std.cache_req_body(256KB)) {
                return (synth(413));
            }
        }
        return (pass);
    }
    call spell_target;
    call spell_codings;
    call spell_media;
    return (hash);
}

sub vcl_hash {
    hash_data(req.url);
    hash_data(req.http.X-Edition);
    return (lookup);
}

sub vcl_backend_fetch {
    unset bereq.http.X-Edition;
}

# From now on this is the edition that is served.
sub adopt_edition {
    var.global_set("retired", var.global_get("edition"));
    var.global_set("edition", beresp.http.Surrogate-Key);
    var.global_set("order", beresp.http.Surrogate-Order);
    var.global_set("seen", "" + std.time2integer(now, 0));
}

sub vcl_backend_response {
    # Whole answers only, so that one that breaks off can be fetched again.
    set beresp.do_stream = false;
    if (beresp.status >= 500 && bereq.is_bgfetch) {
        return (abandon);
    }
    if (beresp.http.Surrogate-Key) {
        if (beresp.http.Surrogate-Key == var.global_get("edition")) {
            var.global_set("seen", "" + std.time2integer(now, 0));
        } elsif (std.integer(beresp.http.Surrogate-Order, 0) > std.integer(var.global_get("order"), 0)) {
            call adopt_edition;
        } elsif (bereq.retries < 3) {
            # A replica that is behind: haproxy knows one that is not.
            set bereq.http.Surrogate-Key = var.global_get("edition");
            return (retry);
        } elsif (std.time2integer(now, 0) - std.integer(var.global_get("seen"), 0) > 10) {
            # Nobody has the newest any more: it was taken back.
            call adopt_edition;
        } else {
            # Rather the edition before than none, for this one reader.
            set beresp.ttl = 0s;
            set beresp.uncacheable = true;
            set beresp.http.Cache-Control = "no-store";
        }
        set beresp.http.xkey = beresp.http.Surrogate-Key;
    }
}

sub vcl_backend_error {
    if (bereq.retries < 3) {
        return (retry);
    }
}

sub vcl_deliver {
    unset resp.http.Surrogate-Key;
    unset resp.http.Surrogate-Order;
    unset resp.http.xkey;
    unset resp.http.X-Varnish;
    unset resp.http.Via;
    # RFC 9211
    if (obj.hits > 0) {
        set resp.http.Cache-Status = "varnish; hit";
    } else {
        set resp.http.Cache-Status = "varnish; fwd=miss";
    }
}
