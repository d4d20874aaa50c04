import type { Redirection } from 'unbash'
import {
  type ExpansionContext,
  type ShellInput,
  type ShellRun,
  type ShellWord,
  shapesOf,
  wordOf,
} from './shell-word.ts'

type Redirects = Pick<ShellRun, 'redirects'> & { readonly input?: ShellInput }

/** The files that redirections name, and the input that they give to the command. */
export function redirectsOf(redirections: readonly Redirection[], context: ExpansionContext): Redirects {
  const redirects: { word: ShellWord; writes: boolean }[] = []
  let input: ShellInput | undefined
  for (const redirect of redirections) {
    if (redirect.type === 'HereDoc') input = { kind: 'text', text: redirect.body.text }
    if (redirect.type === 'HereDoc' || redirect.target === undefined) continue
    const word = wordOf(shapesOf(redirect.target, context), redirect.target.text)
    if (redirect.type === 'HereString') input = textInput(word.text)
    // `2>&1` and `>&-` do not name a file.
    else if (!/^\d*-?$/.test(word.text ?? '?')) {
      const writes = redirect.operator !== '<' && redirect.operator !== '<&'
      redirects.push({ word, writes })
      if (!writes) input = { kind: 'unknown' }
    }
  }
  return { redirects, input }
}

function textInput(text: string | undefined): ShellInput {
  return text === undefined ? { kind: 'unknown' } : { kind: 'text', text: `${text}\n` }
}
