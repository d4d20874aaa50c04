/** A command breaks a rule, or may break it; `source` is the part that shows this. */
export type Finding = { readonly answer: 'yes' | 'maybe'; readonly source: string }
