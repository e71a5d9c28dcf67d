/** Texts of rows that are alike. */

/**
 * A text that is the same in most rows, and another string in each: given as the string that came before, which V8 knows the
 * hash of, and compares at a glance.
 */
export class SameText<Text extends string = string> {
  #last: Text | undefined

  of(text: Text): Text {
    if (this.#last !== text) this.#last = text
    return this.#last
  }
}
