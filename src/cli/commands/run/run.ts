import type { Command } from 'commander'
import { addSettingFlags, countOption, dollarsOption, durationOption, settingFlags } from '../../options/options.ts'

/** `pith run`: runs the agent on one prompt, without the terminal program. */
export function runPromptCommand(pith: Command): void {
  const run = pith
    .command('run')
    .description('let the agent work on a prompt, without questions')
    .argument(
      '[prompt...]',
      'what to do; `-` or nothing reads it from standard input; beside a prompt, that is attached',
    )
    .option('-c, --continue', 'continue the last session of this workspace')
    .option('-s, --session <id>', 'continue this session (the beginning of its id is enough)')
    .option('--fork', 'with --session: continue in a fork, which works in this folder')
    .option('--json', 'print events as JSON lines, the result last')
    .option('--max-cost <dollars>', 'end the run when it has cost more', dollarsOption)
    .option('--max-time <time>', 'end the run after this time: 90s, 10m, 2h', durationOption)
    .option('--max-steps <n>', 'end the run after N answers of the model', countOption)
    .option(
      '--allow <rule>',
      "allow a command or a path in this run: 'npm test', 'edit: src/**'; may be repeated",
      repeatedOption,
    )
    .option('--deny <rule>', 'refuse a command or a path in this run; this wins; may be repeated', repeatedOption)
    .action(async (words: string[], options: RunFlags, command: Command) => {
      process.exitCode = await (await import('./run-prompt.ts')).runPrompt(
        words,
        options,
        settingFlags(command),
        rawArgs(command.parent),
      )
    })
  addSettingFlags(run)
  run.addHelpText('after', EXAMPLES)
}

/** The whole command line in its order, which shows the words after a rule. Commander keeps it, but its types leave it out. */
function rawArgs(pith: Command | null): readonly string[] {
  return pith !== null && 'rawArgs' in pith && Array.isArray(pith.rawArgs) ? pith.rawArgs.map(String) : []
}

const EXAMPLES = `
Examples, which need a model:
  $ pith run "say in two lines what this folder is"
  $ git diff | pith run "review this change" -
  $ pith run "fix the failing test" --continue --max-cost 0.50 --allow 'npm test'
  $ pith run --allow 'npm test' --allow 'edit: src/**' --deny 'git push *' "fix the failing test"`

export type RunFlags = {
  readonly continue?: true
  readonly session?: string
  readonly fork?: true
  readonly json?: true
  readonly maxCost?: number
  readonly maxTime?: number
  readonly maxSteps?: number
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
}

/** One value for each time that the flag is written. Commander's own lists would take the prompt after them as a value. */
function repeatedOption(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
