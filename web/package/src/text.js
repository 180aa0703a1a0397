// Text of a file, as it may be shown.

// What is not seen, or changes how other text is seen; as the command has it (safe_text), but for
// tabs and line feeds, which texts of several lines have.
// eslint-disable-next-line no-control-regex
const HARMFUL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** The text, with an escape for each character that is none to be seen. */
export const safe = (text) => text.replace(HARMFUL, (found) => {
  const number = found.codePointAt(0);
  return number > 0xffff ? `\\U${number.toString(16).padStart(8, "0")}`
    : `\\u${number.toString(16).padStart(4, "0")}`;
});

