# Fills card.svg with the words of each card and writes it to `drawings`: SVG does not break lines by itself.
#     awk -v drawings=FOLDER -f card.awk card.svg LIST      a line of LIST: path, kind, title, text, with tabs between

function escaped(words) {
    gsub(/&/, "\\&amp;", words)
    gsub(/</, "\\&lt;", words)
    gsub(/>/, "\\&gt;", words)
    return words
}

# Breaks words into lines of at most `width` letters; the count is the answer. What does not fit into `most` lines is cut with an ellipsis.
function broken(words, width, most, lines,    parts, count, i, last) {
    count = split(words, parts, " ")
    last = 1
    lines[1] = parts[1]
    for (i = 2; i <= count; i++) {
        if (length(lines[last]) + 1 + length(parts[i]) <= width) {
            lines[last] = lines[last] " " parts[i]
        } else if (last < most) {
            lines[++last] = parts[i]
        } else {
            sub(/[ ,;:.]*$/, "", lines[last])
            lines[last] = lines[last] "…"
            break
        }
    }
    return last
}

function texts(lines, count, top, step, size,    result, i) {
    result = ""
    for (i = 1; i <= count; i++) {
        result = result sprintf("<text x=\"72\" y=\"%d\" font-size=\"%d\">%s</text>", top + (i - 1) * step, size, escaped(lines[i]))
    }
    return result
}

# index and substr, not sub: the words may hold a sign that means something there.
function put(line, name, words,    at) {
    at = index(line, name)
    return at == 0 ? line : substr(line, 1, at - 1) words substr(line, at + length(name))
}

BEGIN {
    FS = "\t"
}

FNR == NR {
    form = form $0 "\n"
    next
}

{
    size = length($3) > 44 ? 56 : 68
    delete title
    delete text
    title_count = broken($3, size == 56 ? 30 : 24, 3, title)
    top = 300
    text_top = top + (title_count - 1) * size * 1.15 + 74
    text_count = broken($4, 64, int((600 - text_top) / 42) + 1, text)
    card = put(form, "@KIND@", escaped($2))
    card = put(card, "@TITLE@", texts(title, title_count, top, size * 1.15, size))
    card = put(card, "@TEXT@", texts(text, text_count, text_top, 42, 28))

    name = $1 == "/" ? "/home" : substr($1, 1, length($1) - 1)
    gsub("/", "+", name)
    file = drawings "/share" name ".svg"
    printf "%s", card >file
    close(file)
}
