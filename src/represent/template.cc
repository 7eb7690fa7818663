/* The door to ctemplate, and the only C++ file.
 *
 * What ctemplate gets is not the template as it was written: the loader splices the parts in and
 * renames each marker to name__N, N being the number of its section. No two sections share a name,
 * so nothing can be inherited from an enclosing one, and each name is set from the one object that
 * it belongs to. */
extern "C" {
#include "buf.h"
#include "error.h"

#include "md.h"
#include "template_place.h"
#include "template_source.h"
#include "template_value.h"
}
#include "template.h"

#include <algorithm>
#include <atomic>
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

/* A file that was given, and its tokens once it is read. */
struct File {
    explicit File(const template_file &file) : given(file) {
    }
    File(const File &) = delete;
    File &operator=(const File &) = delete;
    ~File() {
        template_source_free(&source);
    }
    const template_source &read() {
        error error;
        if (source.tokens == nullptr &&
            !template_source_read(given.name, given.bytes, given.length, &source, &error)) {
            throw Fault{error.kind, error.message};
        }
        return source;
    }
    template_file given;
    template_source source{};
    bool is_part = false;
    bool is_open = false; /* while its parts are spliced in */
};

/* A token where it ends up after splicing; the file in which it was written serves for messages. */
struct Token : token {
    const char *file;
    std::string_view view() const {
        return {text, length};
    }
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
    int number = 0;
    std::vector<Variable> variables;
    std::vector<Section> sections;
};

/* Each has a cache of its own: the library renders from frozen ones only, and one that is frozen
 * takes nothing more. */
struct Template {
    std::atomic<bool> is_compiled = false;
    ctemplate::Strip strip;
    Scope root;
    ctemplate::TemplateCache cache;
};

using Files = std::map<std::string, File, std::less<>>;

bool starts(std::string_view text, std::string_view prefix) {
    return text.substr(0, prefix.size()) == prefix;
}

bool ends(std::string_view text, std::string_view suffix) {
    return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

std::string quoted(std::string_view text) {
    return "'" + std::string(text) + "'";
}

std::string place_of(const Token &token) {
    return std::string(token.file) + ":" + std::to_string(token.line);
}

[[noreturn]] void refuse(const Token &token, const std::string &message) {
    throw Fault{ERROR_INVALID, place_of(token) + ": " + message};
}

/* --- Parts --- */

/* A part lies beside the file that names it and has the same ending. */
File &find_part(Files &files, const Token &token) {
    std::string name(token.file);
    size_t slash = name.rfind('/');
    std::string folder = slash == std::string::npos ? "" : name.substr(0, slash + 1);
    std::string part = folder + std::string(token.view()) + name.substr(name.rfind('.'));
    auto found = files.find(part);
    if (found == files.end()) {
        refuse(token, "there is no part " + part);
    }
    return found->second;
}

/* Adds the tokens of a file, and of the parts in it, to out; by is the file that it is a part of.
 */
void splice(Files &files, File &file, std::vector<Token> &out, const File *by = nullptr) {
    const template_source &source = file.read();
    if (file.is_open) {
        throw Fault{ERROR_INVALID,
                    std::string(by->source.name) + ": part " + source.name + " contains itself"};
    }
    file.is_open = true;
    file.is_part = file.is_part || by != nullptr;
    for (size_t i = 0; i < source.count; i++) {
        Token token{source.tokens[i], source.name};
        if (token.type != TOKEN_PART) {
            out.push_back(token);
            continue;
        }
        size_t before = out.size();
        splice(files, find_part(files, token), out, &file);
        if (!token.alone && out.size() > before && out.back().type == TOKEN_TEXT &&
            ends(out.back().view(), "\n")) {
            out.back().length--;
        }
    }
    file.is_open = false;
}

/* --- Modifiers --- */

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

/* --- From tokens to a tree of names and the text for ctemplate --- */

class Compiler {
  public:
    Compiler(const template_source &source, Template &target)
        : name_(source.name), out_(template_pragma(source.kind)) {
        template_place_start(&place_, source.kind);
        scopes_.push_back(&target.root);
    }

    std::string compile(const std::vector<Token> &tokens) {
        for (const Token &token : tokens) {
            add(token);
        }
        if (const char *fault = template_place_finish(&place_)) {
            throw Fault{ERROR_INVALID, name_ + ": " + fault};
        }
        return std::move(out_);
    }

  private:
    struct Open {
        std::string marker;
        std::string_view name;
        template_place place;
        bool separator;
    };

    static void check(const Token &token, const char *fault) {
        if (fault != nullptr) {
            bool text = token.type == TOKEN_TEXT;
            refuse(token, (text ? "" : quoted(token.view()) + ": ") + fault);
        }
    }

    void add(const Token &token) {
        switch (token.type) {
        case TOKEN_TEXT:
            check(token, template_place_text(&place_, &token));
            out_ += token.view();
            break;
        case TOKEN_VARIABLE:
            add_variable(token);
            break;
        case TOKEN_OPEN:
            open_section(token);
            break;
        case TOKEN_CLOSE:
            close_section(token);
            break;
        case TOKEN_PART:
        case TOKEN_COMMENT:
            break;
        }
    }

    void add_variable(const Token &token) {
        const char *modifier = "";
        check(token, template_place_variable(&place_, &token, &modifier));
        Scope &scope = *scopes_.back();
        std::string marker = std::string(token.view()) + "__" + std::to_string(scope.number);
        out_ += "{{" + marker + modifier + "}}";
        auto known =
            std::find_if(scope.variables.begin(), scope.variables.end(),
                         [&](const Variable &variable) { return variable.marker == marker; });
        if (known == scope.variables.end()) {
            known = scope.variables.insert(
                known, {std::string(token.view()), marker, place_of(token), false});
        }
        known->json = known->json || std::strcmp(modifier, ":x-json") == 0;
    }

    void open_section(const Token &token) {
        static const std::string_view separator = "_separator";
        bool between = ends(token.view(), separator);
        if (between) {
            std::string_view owner = token.view().substr(0, token.length - separator.size());
            if (open_.empty() || open_.back().name != owner || starts(owner, "no_")) {
                refuse(token, quoted(token.view()) + " stands outside section " + quoted(owner));
            }
            std::string marker = open_.back().marker + std::string(separator);
            open_.push_back({marker, token.view(), place_, true});
        } else {
            const Section &section = find_section(token);
            open_.push_back({section.marker, token.view(), place_, false});
            scopes_.push_back(section.inner.get());
        }
        out_ += "{{#" + open_.back().marker + "}}";
    }

    const Section &find_section(const Token &token) {
        Scope &scope = *scopes_.back();
        std::string name(token.view());
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
        scope.sections.push_back(
            {negated ? name.substr(3) : name, marker, place_of(token), negated, std::move(inner)});
        return scope.sections.back();
    }

    void close_section(const Token &token) {
        const Open &open = open_.back();
        check(token, template_place_leave(&place_, &open.place));
        out_ += "{{/" + open.marker + "}}";
        if (!open.separator) {
            scopes_.pop_back();
        }
        open_.pop_back();
    }

    std::string name_;
    std::string out_;
    template_place place_{};
    std::vector<Scope *> scopes_;
    std::vector<Open> open_;
    int count_ = 0;
};

/* --- From a model to ctemplate's dictionary --- */

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
                if (!template_value_shows(value)) {
                    fill(*section.inner, current, dictionary->AddSectionDictionary(section.marker));
                }
            } else if (template_value_shows(value)) {
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
        const json_t *from = starts(key, "site_") ? model_ : current;
        const json_t *value = json_is_object(from) ? json_object_get(from, key.c_str())
                              : key == "item"      ? from
                                                   : nullptr;
        if (value == nullptr) {
            fail(scope, key, place, "is missing from the model");
        }
        return value;
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
        char text[TEMPLATE_VALUE_BYTES];
        if (!template_value_write(value, text)) {
            throw std::bad_alloc();
        }
        dictionary->SetValue(variable.marker, text);
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
    std::vector<template_file> files; /* those that are not compiled yet are made of */
    std::map<std::string, Template, std::less<>> templates;
};

static Files list_files(const template_set &set) {
    Files files;
    for (const template_file &file : set.files) {
        files.try_emplace(file.name, file);
    }
    return files;
}

/* One at a time in the whole process, as std::cerr is caught meanwhile. */
static void compile_when_asked(const template_set &set, const std::string &name, Template &target) {
    static std::mutex compiling;
    if (target.is_compiled.load(std::memory_order_acquire)) {
        return;
    }
    std::lock_guard<std::mutex> guard(compiling);
    if (target.is_compiled.load(std::memory_order_relaxed)) {
        return;
    }
    Files files = list_files(set);
    File &file = files.find(name)->second;
    std::vector<Token> tokens;
    splice(files, file, tokens);
    target.root = Scope{};
    target.strip = file.source.kind == TEMPLATE_MARKDOWN ? ctemplate::DO_NOT_STRIP
                                                         : ctemplate::STRIP_BLANK_LINES;
    std::string text = Compiler(file.source, target).compile(tokens);
    CerrCapture capture;
    bool ok = target.cache.StringToTemplateCache(name, text, target.strip);
    if (!ok || !capture.text().empty()) {
        throw Fault{ERROR_INVALID, name + ": " + capture.text()};
    }
    target.cache.Freeze();
    target.is_compiled.store(true, std::memory_order_release);
}

/* Compiles all, parts where they are used. */
static void prove(template_set &set) {
    Files files = list_files(set);
    for (auto &entry : files) {
        std::vector<Token> tokens;
        splice(files, entry.second, tokens);
    }
    for (auto &entry : files) {
        if (entry.second.is_part) {
            set.templates.erase(entry.first);
        } else {
            compile_when_asked(set, entry.first, set.templates[entry.first]);
        }
    }
    set.files.clear();
}

struct template_set *template_load_proved(const struct template_file *files, size_t count,
                                          struct error *error) {
    std::unique_ptr<template_set> set;
    bool ok = guarded(error, [&] {
        register_modifiers();
        set = std::make_unique<template_set>();
        set->files.assign(files, files + count);
        for (const template_file &file : set->files) {
            if (!set->templates.try_emplace(file.name).second) {
                throw Fault{ERROR_INVALID, std::string(file.name) + ": given twice"};
            }
        }
    });
    return ok ? set.release() : nullptr;
}

struct template_set *template_load(const struct template_file *files, size_t count,
                                   struct error *error) {
    std::unique_ptr<template_set> set(template_load_proved(files, count, error));
    bool ok = set != nullptr && guarded(error, [&] { prove(*set); });
    return ok ? set.release() : nullptr;
}

void template_free(struct template_set *set) {
    delete set;
}

bool template_render(struct template_set *set, const char *name, const json_t *model,
                     struct buf *out, struct error *error) {
    return guarded(error, [&] {
        auto found = set->templates.find(std::string_view(name));
        if (found == set->templates.end()) {
            throw Fault{ERROR_NOT_FOUND, "there is no template " + std::string(name)};
        }
        if (!json_is_object(model)) {
            throw Fault{ERROR_INTERNAL, std::string(name) + ": the model is not an object"};
        }
        compile_when_asked(*set, found->first, found->second);
        ctemplate::TemplateDictionary dictionary(found->first);
        Walker(found->first, model).fill(found->second.root, model, &dictionary);
        size_t before = out->length;
        BufEmitter emitter(out);
        bool ok = found->second.cache.ExpandNoLoad(found->first, found->second.strip, &dictionary,
                                                   nullptr, &emitter);
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
