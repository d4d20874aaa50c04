import type { Command } from 'commander'
import { countOption, examples, formatOption, SESSION, tokensOption } from '../../options/options.ts'

/** The commands that list sessions, look into them and copy them. */
export function sessionCommands(pith: Command): void {
  pith
    .command('sessions')
    .description('list the sessions of all agents on this machine with ours, newest first')
    .option('--limit <COUNT>', 'how many are shown', countOption, 20)
    .option('--all', 'show all of them')
    .option('--here', 'only those of this folder')
    .option('--tasks', 'also those of our sub-agents')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples('pith sessions', 'pith sessions --all --json', 'pith import example && pith sessions --here --limit 5'),
    )
    .action(async (flags: SessionsFlags) => (await import('./sessions-list.ts')).listSessions(flags))
  pith
    .command('inspect')
    .description('show what fills a session’s window, over time too, and what it has cost')
    .argument('<session>', SESSION)
    .option('--model <PROVIDER/MODEL>', 'measure with the window and the prices of this model')
    .option('--window <TOKENS>', 'the context window, if it is not known from the model', tokensOption)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples('pith inspect example', 'pith inspect example --window 32k', 'pith inspect example --json'),
    )
    .action(async (what: string, flags: InspectFlags) => (await import('./inspect-session.ts')).inspect(what, flags))
}

/** `pith diff` and `pith recall`: the view before a compaction, and entries of the whole log. */
export function lookBackCommands(pith: Command): void {
  pith
    .command('diff')
    .description('show the view before and after the last compaction')
    .argument('<session>', 'an id from pith sessions, a session file of any agent, or - for standard input')
    .option('--json', 'print both views as JSON')
    .addHelpText(
      'after',
      examples('pith compact example --offline --to pith --out upload.jsonl && pith diff upload.jsonl'),
    )
    .action(async (what: string, flags: JsonFlag) => (await import('./diff-session.ts')).diffAny(what, flags))
  pith
    .command('recall')
    .description(
      'find what was said in the sessions of all agents on this machine and in ours, compacted or not; #12 gives that entry back, word for word',
    )
    .argument(
      '<query...>',
      'words in any order, "a phrase", filters such as file:upload.ts, tool:bash, role:user, is:error, before:2026-01-31; or handles such as #12, #15-#20 (with --session), and ID#12 of any session',
    )
    .option(
      '-s, --session <SESSION>',
      'look only in this session: an id from pith sessions, or a session file of any agent',
    )
    .option('--here', 'look only in the sessions of this folder')
    .option('--limit <COUNT>', 'how many places are shown', countOption, 10)
    .option('--page <NUMBER>', 'the page of the hits', countOption, 1)
    .option('--raw', 'with handles: the output of commands as it came, with control characters as signs')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples('pith import example && pith recall parallel limit', `pith recall '"never change" role:user' --json`),
    )
    .action(async (words: string[], flags: RecallFlags) =>
      (await import('./recall-entries.ts')).recallAny(words.join(' '), flags),
    )
}

/** `pith import` and `pith export`: a session of any agent into our store, and a session in another form. */
export function copyCommands(pith: Command): void {
  pith
    .command('import')
    .description('import a session of any agent into Pith, to continue it here')
    .argument('<session>', SESSION)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples('pith import example', 'pith export example --to anthropic --out talk.json && pith import talk.json'),
    )
    .action(async (what: string, flags: JsonFlag) => (await import('./import-any.ts')).importAny(what, flags))
  const command = pith.command('export')
  command
    .description('write a session in another form: for an agent to resume, for people, or as messages')
    .argument('<session>', 'an id from pith sessions, a session file of any agent, - for standard input, or example')
    .addOption(
      formatOption(command, 'the format; pith is the whole log, all others what the model would see now').default(
        'pith',
      ),
    )
    .option('--out <FILE>', 'write into this new file, not to standard output')
    .option('--with-secrets', 'leave keys, tokens and passwords in it')
    .addHelpText(
      'after',
      examples(
        'pith export example --to markdown',
        'pith export example --to claude-code --out session.jsonl',
        'pith export example --to openai-chat | head -n 5',
      ),
    )
    .action(async (what: string, flags: ExportFlags) => (await import('./export-any.ts')).exportAny(what, flags))
}

export type JsonFlag = { readonly json?: true }
export type SessionsFlags = JsonFlag & {
  readonly limit: number
  readonly all?: true
  readonly here?: true
  readonly tasks?: true
}
export type InspectFlags = JsonFlag & { readonly model?: string; readonly window?: number }
export type RecallFlags = JsonFlag & {
  readonly session?: string
  readonly here?: true
  readonly raw?: true
  readonly limit: number
  readonly page: number
}
export type ExportFlags = { readonly to: string; readonly out?: string; readonly withSecrets?: true }
