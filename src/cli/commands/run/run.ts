import type { Command } from 'commander'
import { addSettingFlags, settingFlags } from '../../options/setting-flags.ts'

/** `pith run`: runs the agent on one prompt, without the terminal program. */
export function runPromptCommand(pith: Command): void {
  const run = pith
    .command('run')
    .description('let the agent work on a prompt, without questions')
    .argument('[prompt...]', 'what to do; `-` or nothing reads it from standard input')
    .option('-c, --continue', 'continue the last session of this workspace')
    .option('-s, --session <id>', 'continue this session')
    .option('--json', 'print events as JSON lines')
    .action(async (words: string[], options: RunFlags, command: Command) => {
      const { runPrompt } = await import('./run-prompt.ts')
      process.exitCode = await runPrompt(words.join(' '), options, settingFlags(command))
    })
  addSettingFlags(run)
}

export type RunFlags = { readonly continue?: true; readonly session?: string; readonly json?: true }
