/** A command that breaks a rule (`yes`), or may break it (`maybe`). `source` is the part that shows this. */
export type Finding = { readonly answer: 'yes' | 'maybe'; readonly source: string }
