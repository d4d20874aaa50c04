import { type Command, Option } from 'commander'
import { HOOK_AGENTS, type HookAgent } from '../../memory/memory-command.ts'
import { examples } from '../../options/options.ts'

export type MemoryFlags = { readonly json?: true; readonly all?: true }

export type StartFlags = { readonly for?: HookAgent; readonly given?: true }

/** `pith memory`: what the sessions of all agents in this project have shown, for the next one. */
export function memoryCommand(pith: Command): void {
  const memory = pith
    .command('memory')
    .description(
      'show what earlier sessions in this project leave for the next: rules, commands, dead ends, open work, files',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'pith memory',
        "pith memory pin 'the staging server is reset at noon'",
        'pith memory forget 3',
        'pith memory export >> AGENTS.md',
      ),
    )
    .action(async (flags: MemoryFlags) => (await import('./show-memory.ts')).showMemory(flags))
  memory
    .command('pin')
    .description('add a line of your own, which is always shown')
    .argument('<text...>', 'the line')
    .action(async (words: string[]) => (await import('./show-memory.ts')).pinLine(words.join(' ')))
  memory
    .command('forget')
    .description('take a line out for good: by its number in the page, or by words that it has')
    .argument('<line...>', 'numbers, or words')
    .action(async (words: string[]) => (await import('./show-memory.ts')).forgetLines(words))
  memory
    .command('edit')
    .description('change your own lines in $EDITOR; a line of the page that is deleted there is forgotten')
    .action(async () => (await import('./edit-memory.ts')).editMemory())
  memory
    .command('export')
    .description('write rules and commands as text for an AGENTS.md, without dates and handles')
    .action(async () => (await import('./show-memory.ts')).exportMemory())
  memory
    .command('update')
    .description('bring it up to date without showing it; sessions that begin do this in the background')
    .action(async () => (await import('./show-memory.ts')).updateMemory())
  memory
    .command('start')
    .description('print the last finished page for a session that begins; the hooks of other agents run this')
    .addOption(
      new Option('--for <agent>', 'in the form of its hook, which it describes on standard input').choices(HOOK_AGENTS),
    )
    .addOption(new Option('--given').hideHelp())
    .action(async (flags: StartFlags) => (await import('./start-memory.ts')).startMemory(flags))
  memory
    .command('on')
    .description('give it to new sessions in this project, whatever the setting `memory` says')
    .action(async () => (await import('./show-memory.ts')).switchMemory(true))
  memory
    .command('off')
    .description('give it to no session in this project')
    .action(async () => (await import('./show-memory.ts')).switchMemory(false))
}
