// Text of a file as it may be shown, and lists of it.

export { safe } from "../package/src/text.js";

/** Appends each item. A call takes only so many arguments, and a list of a program can have more:
 *  no list of it is spread into a call. */
export function addAll(list, items) {
  for (const item of items) {
    list.push(item);
  }
}
