// What is wrong with a page as HTML, for the tests that look at whole sites.
import { HtmlValidate } from 'html-validate';

const validator = new HtmlValidate({
    root: true,
    extends: ['html-validate:recommended'],
    rules: {
        // Several boxes of a name are one question with several answers.
        'form-dup-name': ['error', { shared: ['radio', 'checkbox', 'submit', 'button', 'reset'] }],
        // The length of a title is a matter of its words, not of HTML.
        'long-title': 'off',
    },
});

export async function htmlProblems(text) {
    const report = await validator.validateString(text);
    return report.results.flatMap(({ messages }) => messages.map(({ line, ruleId, message }) => `${line}: ${message} (${ruleId})`));
}
