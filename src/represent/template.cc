/* The door to ctemplate, and the only C++ file.
 *
 * What ctemplate gets is not the template as it was written: the loader splices the parts in and
 * renames each marker to name__N, N being the number of its section. No two sections share a name,
 * so nothing can be inherited from an enclosing one, and each name is set from the one object that
 * it belongs to. */
extern "C" {
#include "buf.h"
#include "error.h"
#include "text.h"

#include "html_scan.h"
#include "md.h"
}
#include "template.h"

#include <algorithm>
#include <cstring>
#include <ctemplate/per_expand_data.h>
#include <ctemplate/template_cache.h>
#include <ctemplate/template_dictionary.h>
#include <ctemplate/template_emitter.h>
#include <ctemplate/template_modifiers.h>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

/* Thrown inside this file only. */
struct Fault {
    error_kind kind;
    std::string message;
};

enum class Kind { html, xml, markdown };

struct Token {
    enum class Type { text, variable, open, close, part, comment };
    Type type;
    std::string_view text; /* literal text, or the marker's name */
    std::string_view modifier;
    int line;
    bool alone; /* a part that has its line for itself */
};

struct File {
    std::string name;
    std::string_view bytes;
    Kind kind;
    std::vector<Token> tokens;
    bool is_part;
};

struct Variable {
    std::string key;    /* in the model */
    std::string marker; /* in the template that ctemplate sees */
    std::string place;  /* file:line */
    bool json;
};

struct Scope;

struct Section {
    std::string key;
    std::string marker;
    std::string place;
    bool negated;
    std::unique_ptr<Scope> inner;
};

struct Scope {
    std::string path; /* of section names, for messages */
    int number;
    std::vector<Variable> variables;
    std::vector<Section> sections;
};

struct Template {
    ctemplate::Strip strip;
    Scope root;
};

using Files = std::map<std::string, File, std::less<>>;

bool starts(std::string_view text, std::string_view prefix) {
    return text.substr(0, prefix.size()) == prefix;
}

bool ends(std::string_view text, std::string_view suffix) {
    return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

bool is_site(std::string_view key) {
    return starts(key, "site_");
}

std::string quoted(std::string_view text) {
    return "'" + std::string(text) + "'";
}

std::string place_of(const File &file, int line) {
    return file.name + ":" + std::to_string(line);
}

[[noreturn]] void refuse(const File &file, int line, const std::string &message) {
    throw Fault{ERROR_INVALID, place_of(file, line) + ": " + message};
}

/* ---- Reading a file into tokens ---- */

Kind kind_of(const std::string &name) {
    if (ends(name, ".html")) {
        return Kind::html;
    }
    if (ends(name, ".xml")) {
        return Kind::xml;
    }
    if (ends(name, ".md")) {
        return Kind::markdown;
    }
    throw Fault{ERROR_INVALID, name + ": a template's name ends in .html, .xml or .md"};
}

std::string_view pragma_of(Kind kind) {
    switch (kind) {
    case Kind::html:
        return "{{%AUTOESCAPE context=\"HTML\"}}\n";
    case Kind::xml:
        return "{{%AUTOESCAPE context=\"XML\"}}\n";
    case Kind::markdown:
        break;
    }
    return "";
}

bool is_name(std::string_view text) {
    return !text.empty() && (text[0] < '0' || text[0] > '9') &&
           text.find_first_not_of(
               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
               std::string_view::npos;
}

Token read_marker(const File &file, int line, std::string_view body) {
    static const std::map<char, Token::Type> types = {{'#', Token::Type::open},
                                                      {'/', Token::Type::close},
                                                      {'>', Token::Type::part},
                                                      {'!', Token::Type::comment}};
    Token token{Token::Type::variable, body, {}, line, false};
    auto type = types.find(body.empty() ? '\0' : body[0]);
    if (type != types.end()) {
        token.type = type->second;
        token.text = body.substr(1);
    } else if (size_t colon = body.find(':'); colon != std::string_view::npos) {
        token.text = body.substr(0, colon);
        token.modifier = body.substr(colon + 1);
        if (token.modifier.empty()) {
            refuse(file, line, "an empty modifier in " + quoted(body));
        }
    }
    if (token.type != Token::Type::comment && !is_name(token.text)) {
        bool pragma = starts(body, "%");
        refuse(file, line,
               pragma ? "a pragma may stand on line 1 only" : quoted(body) + " is not a marker");
    }
    return token;
}

void add_text(const File &file, int line, std::string_view text, std::vector<Token> &tokens) {
    for (const char *braces : {"{%", "%}", "}}"}) {
        if (text.find(braces) != std::string_view::npos) {
            refuse(file, line,
                   std::string("stray ") + braces + " (a pragma is {{%...}}, a marker {{...}})");
        }
    }
    if (!text.empty()) {
        tokens.push_back({Token::Type::text, text, {}, line, false});
    }
}

/* A line that holds markers but no variable and no text leaves nothing behind, not even its line
 * break. */
void keep_line(File &file, std::vector<Token> &tokens) {
    bool marker = false;
    bool shows = false;
    for (const Token &token : tokens) {
        bool text = token.type == Token::Type::text;
        marker = marker || !text;
        shows = shows || token.type == Token::Type::variable ||
                (text && token.text.find_first_not_of(" \t\r\n") != std::string_view::npos);
    }
    bool alone = marker && !shows;
    for (Token &token : tokens) {
        token.alone = alone;
        if (token.type != Token::Type::comment && !(alone && token.type == Token::Type::text)) {
            file.tokens.push_back(token);
        }
    }
}

/* The next line with its line break, and the lines after it that a comment begun in it reaches
 * into. */
std::string_view next_line(const File &file, int line, std::string_view rest) {
    size_t from = 0;
    size_t end = 0;
    for (;;) {
        size_t line_break = rest.find('\n', from);
        end = line_break == std::string_view::npos ? rest.size() : line_break + 1;
        size_t open = rest.find("{{!", from);
        if (open >= end) {
            return rest.substr(0, end);
        }
        from = rest.find("}}", open);
        if (from == std::string_view::npos) {
            refuse(file, line, "a comment without end");
        }
    }
}

void read_line(File &file, int line, std::string_view text) {
    std::vector<Token> tokens;
    for (size_t open = text.find("{{"); open != std::string_view::npos; open = text.find("{{")) {
        add_text(file, line, text.substr(0, open), tokens);
        size_t close = text.find("}}", open);
        if (close == std::string_view::npos) {
            refuse(file, line, "a marker without end");
        }
        tokens.push_back(read_marker(file, line, text.substr(open + 2, close - open - 2)));
        text.remove_prefix(close + 2);
    }
    add_text(file, line, text, tokens);
    keep_line(file, tokens);
}

void check_balance(const File &file) {
    std::vector<const Token *> open;
    for (const Token &token : file.tokens) {
        if (token.type == Token::Type::open) {
            open.push_back(&token);
        } else if (token.type == Token::Type::close) {
            if (open.empty() || open.back()->text != token.text) {
                refuse(file, token.line,
                       "section " + quoted(token.text) + " ends but is not the open one");
            }
            open.pop_back();
        }
    }
    if (!open.empty()) {
        refuse(file, open.back()->line, "section " + quoted(open.back()->text) + " has no end");
    }
}

void read_file(File &file) {
    std::string_view rest = file.bytes;
    std::string_view pragma = pragma_of(file.kind);
    if (!text_is_utf8(rest.data(), rest.size())) {
        throw Fault{ERROR_INVALID, file.name + ": not UTF-8"};
    }
    if (!starts(rest, pragma)) {
        refuse(file, 1, "line 1 must be " + std::string(pragma.substr(0, pragma.size() - 1)));
    }
    rest.remove_prefix(pragma.size());
    int line = pragma.empty() ? 1 : 2;
    while (!rest.empty()) {
        std::string_view text = next_line(file, line, rest);
        read_line(file, line, text);
        line += static_cast<int>(std::count(text.begin(), text.end(), '\n'));
        rest.remove_prefix(text.size());
    }
    check_balance(file);
}

/* ---- Parts ---- */

/* A part lies beside the file that names it and has the same ending. */
std::string part_name(const File &file, std::string_view part) {
    size_t slash = file.name.rfind('/');
    std::string folder = slash == std::string::npos ? "" : file.name.substr(0, slash + 1);
    return folder + std::string(part) + file.name.substr(file.name.rfind('.'));
}

File &find_part(Files &files, const File &file, const Token &token) {
    auto found = files.find(part_name(file, token.text));
    if (found == files.end()) {
        refuse(file, token.line, "there is no part " + part_name(file, token.text));
    }
    return found->second;
}

struct Placed {
    const File *file;
    Token token;
};

void splice(Files &files, const File &file, std::vector<const File *> &path,
            std::vector<Placed> &out) {
    if (std::find(path.begin(), path.end(), &file) != path.end()) {
        throw Fault{ERROR_INVALID, path.back()->name + ": part " + file.name + " contains itself"};
    }
    path.push_back(&file);
    for (const Token &token : file.tokens) {
        if (token.type != Token::Type::part) {
            out.push_back({&file, token});
            continue;
        }
        splice(files, find_part(files, file, token), path, out);
        if (!token.alone && !out.empty() && out.back().token.type == Token::Type::text &&
            ends(out.back().token.text, "\n")) {
            out.back().token.text.remove_suffix(1);
        }
    }
    path.pop_back();
}

/* ---- Modifiers ---- */

void emit_into(void *context, const char *bytes, size_t length) {
    static_cast<ctemplate::ExpandEmitter *>(context)->Emit(bytes, length);
}

class Modifier : public ctemplate::TemplateModifier {
  public:
    explicit Modifier(md_form form) : form_(form) {
    }
    void Modify(const char *in, size_t length, const ctemplate::PerExpandData *,
                ctemplate::ExpandEmitter *out, const std::string &) const override {
        md_sink sink = {emit_into, out};
        md_escape(form_, in, length, &sink);
    }

  private:
    md_form form_;
};

const std::map<std::string_view, md_form> markdown_modifiers = {{"x-md", MD_TEXT},
                                                                {"x-cell", MD_CELL},
                                                                {"x-code", MD_CODE},
                                                                {"x-url", MD_URL},
                                                                {"x-raw", MD_RAW}};

/* The library keeps modifiers for the whole process. */
void register_modifiers() {
    static const Modifier text(MD_TEXT), cell(MD_CELL), code(MD_CODE), code_cell(MD_CODE_CELL),
        url(MD_URL), raw(MD_RAW);
    static std::once_flag once;
    std::call_once(once, [] {
        bool ok = ctemplate::AddModifier("x-md", &text) &&
                  ctemplate::AddModifier("x-cell", &cell) &&
                  ctemplate::AddModifier("x-code", &code) &&
                  ctemplate::AddModifier("x-code-cell", &code_cell) &&
                  ctemplate::AddModifier("x-url", &url) && ctemplate::AddModifier("x-raw", &raw) &&
                  ctemplate::AddXssSafeModifier("x-html", &raw) &&
                  ctemplate::AddXssSafeModifier("x-json", &raw);
        if (!ok) {
            throw Fault{ERROR_INTERNAL, "ctemplate refused a modifier"};
        }
    });
}

/* ---- From tokens to a tree of names and the text for ctemplate ---- */

class Compiler {
  public:
    Compiler(const File &file, Template &target) : file_(file), out_(pragma_of(file.kind)) {
        html_scan_start(&html_, file.kind == Kind::xml);
        scopes_.push_back(&target.root);
    }

    std::string compile(const std::vector<Placed> &tokens) {
        for (const Placed &placed : tokens) {
            add(*placed.file, placed.token);
        }
        if (file_.kind != Kind::markdown && html_.state != HTML_TEXT) {
            throw Fault{ERROR_INVALID, file_.name + ": ends within a tag or a raw element"};
        }
        return std::move(out_);
    }

  private:
    struct Open {
        std::string marker;
        std::string_view name;
        html_scan html;
        bool separator;
    };

    void add(const File &file, const Token &token) {
        switch (token.type) {
        case Token::Type::text:
            add_literal(file, token);
            break;
        case Token::Type::variable:
            add_variable(file, token);
            break;
        case Token::Type::open:
            open_section(file, token);
            break;
        case Token::Type::close:
            close_section(file, token);
            break;
        case Token::Type::part:
        case Token::Type::comment:
            break;
        }
    }

    void add_literal(const File &file, const Token &token) {
        if (file.kind == Kind::markdown) {
            md_scan_text(&md_, token.text.data(), token.text.size());
        } else if (const char *fault =
                       html_scan_text(&html_, token.text.data(), token.text.size())) {
            refuse(file, token.line, fault);
        }
        out_ += token.text;
    }

    std::string markdown_modifier(const File &file, const Token &token) {
        auto found = markdown_modifiers.find(token.modifier);
        if (found == markdown_modifiers.end()) {
            refuse(file, token.line,
                   quoted(token.text) + " needs one of :x-md, :x-cell, :x-code, :x-url and :x-raw");
        }
        md_form form = found->second;
        if (const char *fault = md_scan_variable(&md_, &form)) {
            refuse(file, token.line, quoted(token.text) + ": " + fault);
        }
        return form == MD_CODE_CELL ? ":x-code-cell" : ":" + std::string(token.modifier);
    }

    std::string html_modifier(const File &file, const Token &token) {
        bool markup = ends(token.text, "_html");
        html_print print = HTML_ESCAPED;
        if (token.modifier == "x-html" && file.kind == Kind::html && markup) {
            print = HTML_MARKUP;
        } else if (token.modifier == "x-json" && file.kind == Kind::html &&
                   ends(token.text, "_json")) {
            print = HTML_JSON;
        } else if (!token.modifier.empty() || (markup && file.kind == Kind::html)) {
            refuse(file, token.line,
                   quoted(token.text) +
                       ": :x-html goes with a name ending in _html, :x-json with _json, nothing "
                       "else with any");
        }
        if (const char *fault = html_scan_variable(&html_, print)) {
            refuse(file, token.line, quoted(token.text) + ": " + fault);
        }
        if (print == HTML_ESCAPED) {
            return file.kind == Kind::html && html_scan_keeps_lines(&html_) ? ":p" : "";
        }
        return ":" + std::string(token.modifier);
    }

    void add_variable(const File &file, const Token &token) {
        std::string modifier = file.kind == Kind::markdown ? markdown_modifier(file, token)
                                                           : html_modifier(file, token);
        Scope &scope = *scopes_.back();
        std::string marker = std::string(token.text) + "__" + std::to_string(scope.number);
        out_ += "{{" + marker + modifier + "}}";
        auto known =
            std::find_if(scope.variables.begin(), scope.variables.end(),
                         [&](const Variable &variable) { return variable.marker == marker; });
        if (known == scope.variables.end()) {
            known = scope.variables.insert(
                known, {std::string(token.text), marker, place_of(file, token.line), false});
        }
        known->json = known->json || token.modifier == "x-json";
    }

    void open_section(const File &file, const Token &token) {
        static const std::string_view separator = "_separator";
        bool between = ends(token.text, separator);
        if (between) {
            std::string_view owner = token.text.substr(0, token.text.size() - separator.size());
            if (open_.empty() || open_.back().name != owner || starts(owner, "no_")) {
                refuse(file, token.line,
                       quoted(token.text) + " stands outside section " + quoted(owner));
            }
            std::string marker = open_.back().marker + std::string(separator);
            open_.push_back({marker, token.text, html_, true});
        } else {
            const Section &section = find_section(file, token);
            open_.push_back({section.marker, token.text, html_, false});
            scopes_.push_back(section.inner.get());
        }
        out_ += "{{#" + open_.back().marker + "}}";
    }

    const Section &find_section(const File &file, const Token &token) {
        Scope &scope = *scopes_.back();
        std::string name(token.text);
        std::string marker = name + "__" + std::to_string(scope.number);
        for (const Section &section : scope.sections) {
            if (section.marker == marker) {
                return section;
            }
        }
        bool negated = starts(name, "no_");
        auto inner = std::make_unique<Scope>();
        inner->path = scope.path.empty() ? name : scope.path + "/" + name;
        inner->number = ++count_;
        scope.sections.push_back({negated ? name.substr(3) : name, marker,
                                  place_of(file, token.line), negated, std::move(inner)});
        return scope.sections.back();
    }

    void close_section(const File &file, const Token &token) {
        const Open &open = open_.back();
        if (file.kind != Kind::markdown) {
            if (!html_scan_same_place(&open.html, &html_)) {
                refuse(file, token.line,
                       "section " + quoted(token.text) +
                           " does not end in the kind of place where it began");
            }
            html_scan_leave(&html_, &open.html);
        }
        out_ += "{{/" + open.marker + "}}";
        if (!open.separator) {
            scopes_.pop_back();
        }
        open_.pop_back();
    }

    const File &file_;
    std::string out_;
    html_scan html_{};
    md_scan md_{};
    std::vector<Scope *> scopes_;
    std::vector<Open> open_;
    int count_ = 0;
};

/* ---- From a model to ctemplate's dictionary ---- */

class Walker {
  public:
    Walker(std::string_view name, const json_t *model) : name_(name), model_(model) {
    }

    /* Sets every name of a scope from current, an object or a scalar item of an array. */
    void fill(const Scope &scope, const json_t *current,
              ctemplate::TemplateDictionary *dictionary) const {
        for (const Variable &variable : scope.variables) {
            const json_t *value = look_up(scope, variable.key, variable.place, current);
            set(scope, variable, value, dictionary);
        }
        for (const Section &section : scope.sections) {
            const json_t *value = look_up(scope, section.key, section.place, current);
            if (section.negated) {
                if (!shows(value)) {
                    fill(*section.inner, current, dictionary->AddSectionDictionary(section.marker));
                }
            } else if (shows(value)) {
                show(section, value, current, dictionary);
            }
        }
    }

  private:
    [[noreturn]] void fail(const Scope &scope, std::string_view key, const std::string &place,
                           const char *what) const {
        throw Fault{ERROR_INTERNAL,
                    std::string(name_) + ": " + quoted(key) + " " + what + ", " +
                        (scope.path.empty() ? "top level" : "section " + scope.path) + " (" +
                        place + ")"};
    }

    const json_t *look_up(const Scope &scope, const std::string &key, const std::string &place,
                          const json_t *current) const {
        const json_t *from = is_site(key) ? model_ : current;
        const json_t *value = json_is_object(from) ? json_object_get(from, key.c_str())
                              : key == "item"      ? from
                                                   : nullptr;
        if (value == nullptr) {
            fail(scope, key, place, "is missing from the model");
        }
        return value;
    }

    static bool shows(const json_t *value) {
        switch (json_typeof(value)) {
        case JSON_OBJECT:
            return json_object_size(value) > 0;
        case JSON_ARRAY:
            return json_array_size(value) > 0;
        case JSON_STRING:
            return json_string_length(value) > 0;
        case JSON_INTEGER:
        case JSON_REAL:
        case JSON_TRUE:
            return true;
        case JSON_FALSE:
        case JSON_NULL:
            break;
        }
        return false;
    }

    void show(const Section &section, const json_t *value, const json_t *current,
              ctemplate::TemplateDictionary *dictionary) const {
        if (!json_is_array(value)) {
            fill(*section.inner, json_is_object(value) ? value : current,
                 dictionary->AddSectionDictionary(section.marker));
            return;
        }
        for (size_t i = 0; i < json_array_size(value); i++) {
            const json_t *item = json_array_get(value, i);
            if (json_is_array(item)) {
                fail(*section.inner, section.key, section.place, "is an array of arrays");
            }
            fill(*section.inner, item, dictionary->AddSectionDictionary(section.marker));
        }
    }

    void set(const Scope &scope, const Variable &variable, const json_t *value,
             ctemplate::TemplateDictionary *dictionary) const {
        if (json_is_object(value) || json_is_array(value)) {
            fail(scope, variable.key, variable.place, "is not a scalar");
        }
        if (json_is_string(value)) {
            std::string_view text(json_string_value(value), json_string_length(value));
            if (variable.json && text.find('<') != std::string_view::npos) {
                fail(scope, variable.key, variable.place,
                     "is JSON for a script, but holds a raw <");
            }
            dictionary->SetValueWithoutCopy(variable.marker,
                                            ctemplate::TemplateString(text.data(), text.size()));
            return;
        }
        dictionary->SetValue(variable.marker, scalar_text(value));
    }

    static std::string scalar_text(const json_t *value) {
        if (json_is_integer(value)) {
            return std::to_string(json_integer_value(value));
        }
        if (!json_is_real(value)) {
            return json_is_true(value) ? "true" : json_is_false(value) ? "false" : "";
        }
        buf number;
        buf_init(&number, 512);
        text_add_number(&number, json_real_value(value));
        std::string text = number.failed ? "" : std::string(number.data, number.length);
        bool failed = number.failed;
        buf_free(&number);
        if (failed) {
            throw std::bad_alloc();
        }
        return text;
    }

    std::string_view name_;
    const json_t *model_;
};

class BufEmitter : public ctemplate::ExpandEmitter {
  public:
    explicit BufEmitter(buf *out) : out_(out) {
    }
    void Emit(char c) override {
        buf_add_char(out_, c);
    }
    void Emit(const std::string &s) override {
        buf_add(out_, s.data(), s.size());
    }
    void Emit(const char *s) override {
        buf_add_text(out_, s);
    }
    void Emit(const char *s, size_t length) override {
        buf_add(out_, s, length);
    }

  private:
    buf *out_;
};

/* The library reports what is wrong with a template on std::cerr only. */
class CerrCapture {
  public:
    CerrCapture() : old_(std::cerr.rdbuf(text_.rdbuf())) {
    }
    ~CerrCapture() {
        std::cerr.rdbuf(old_);
    }
    CerrCapture(const CerrCapture &) = delete;
    CerrCapture &operator=(const CerrCapture &) = delete;
    std::string text() const {
        std::string text = text_.str();
        std::replace(text.begin(), text.end(), '\n', ' ');
        return text;
    }

  private:
    std::ostringstream text_;
    std::streambuf *old_;
};

/* Runs a function and turns whatever it throws into an error. */
template <typename Function> bool guarded(error *error, Function function) {
    try {
        function();
        return true;
    } catch (const Fault &fault) {
        return error_set(error, fault.kind, "%s", fault.message.c_str());
    } catch (const std::bad_alloc &) {
        return error_no_memory(error);
    } catch (const std::exception &exception) {
        return error_set(error, ERROR_INTERNAL, "templates: %s", exception.what());
    } catch (...) {
        return error_set(error, ERROR_INTERNAL, "templates: unknown exception");
    }
}

} // namespace

struct template_set {
    ctemplate::TemplateCache cache;
    std::map<std::string, Template, std::less<>> templates;
};

static void load_one(template_set &set, Files &files, const File &file) {
    std::vector<const File *> path;
    std::vector<Placed> tokens;
    splice(files, file, path, tokens);
    if (file.is_part) {
        return; /* compiled where it is used */
    }
    Template &target = set.templates[file.name];
    target.strip =
        file.kind == Kind::markdown ? ctemplate::DO_NOT_STRIP : ctemplate::STRIP_BLANK_LINES;
    std::string text = Compiler(file, target).compile(tokens);
    CerrCapture capture;
    bool ok = set.cache.StringToTemplateCache(file.name, text, target.strip);
    if (!ok || !capture.text().empty()) {
        throw Fault{ERROR_INVALID, file.name + ": " + capture.text()};
    }
}

static void load_all(template_set &set, const template_file *list, size_t count) {
    Files files;
    register_modifiers();
    for (size_t i = 0; i < count; i++) {
        std::string name = list[i].name;
        File file{name, {list[i].bytes, list[i].length}, kind_of(name), {}, false};
        read_file(file);
        if (!files.emplace(name, std::move(file)).second) {
            throw Fault{ERROR_INVALID, name + ": given twice"};
        }
    }
    for (auto &entry : files) {
        for (const Token &token : entry.second.tokens) {
            if (token.type == Token::Type::part) {
                find_part(files, entry.second, token).is_part = true;
            }
        }
    }
    for (auto &entry : files) {
        load_one(set, files, entry.second);
    }
    set.cache.Freeze();
}

struct template_set *template_load(const struct template_file *files, size_t count,
                                   struct error *error) {
    std::unique_ptr<template_set> set;
    bool ok = guarded(error, [&] {
        set = std::make_unique<template_set>();
        load_all(*set, files, count);
    });
    return ok ? set.release() : nullptr;
}

void template_free(struct template_set *set) {
    delete set;
}

bool template_render(const struct template_set *set, const char *name, const json_t *model,
                     struct buf *out, struct error *error) {
    return guarded(error, [&] {
        auto found = set->templates.find(std::string_view(name));
        if (found == set->templates.end()) {
            throw Fault{ERROR_NOT_FOUND, "there is no template " + std::string(name)};
        }
        if (!json_is_object(model)) {
            throw Fault{ERROR_INTERNAL, std::string(name) + ": the model is not an object"};
        }
        ctemplate::TemplateDictionary dictionary(found->first);
        Walker(found->first, model).fill(found->second.root, model, &dictionary);
        size_t before = out->length;
        BufEmitter emitter(out);
        bool ok = set->cache.ExpandNoLoad(found->first, found->second.strip, &dictionary, nullptr,
                                          &emitter);
        if (ok && !out->failed) {
            return;
        }
        if (out->length > before) {
            out->length = before;
            out->data[before] = '\0';
        }
        if (out->failed) {
            throw Fault{ERROR_NO_MEMORY, std::string(name) + ": the page does not fit its buffer"};
        }
        throw Fault{ERROR_INTERNAL, std::string(name) + ": ctemplate could not expand it"};
    });
}
