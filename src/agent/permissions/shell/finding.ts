/** That a command does, or may do, what a rule forbids, and the part of it that shows this. */
export type Finding = { readonly answer: 'yes' | 'maybe'; readonly source: string }
