import { type Command, Option } from 'commander'
import { PRESET_NAMES, STYLE_NAMES } from '../../../model/policy/preset-names.ts'
import { examples, SESSION, tokensOption } from '../../options/options.ts'

/** `pith replay`: what a session would have cost under other policies. */
export function replayCommand(pith: Command): void {
  pith
    .command('replay')
    .description('play a session again under several policies: cost and context, request by request')
    .argument('<session>', SESSION)
    .option(
      '--policy <NAMES>',
      `${PRESET_NAMES.join(', ')}, none (never compacts), or any at its own trigger: pith@40`,
      [...STYLE_NAMES, 'none'].join(),
    )
    .option('--model <PROVIDER/MODEL>', 'with the window and the prices of this model')
    .option('--window <TOKENS>', 'the context window, if it is not known from the model', tokensOption)
    .addOption(
      new Option('--cache <LIFETIME>', 'how long the provider keeps its cache; default: as in the session').choices([
        '5m',
        '1h',
      ]),
    )
    .option('--json', 'print every request as JSON')
    .addHelpText(
      'after',
      examples(
        'pith replay example',
        'pith replay example --policy pith,pith@40,none',
        'pith replay example --cache 1h',
        'pith replay example --model anthropic/claude-sonnet-4-5 --window 32k --json',
      ),
    )
    .action(async (what: string, options: ReplayFlags) =>
      (await import('./replay-session.ts')).replaySession(what, options),
    )
}

export type ReplayFlags = {
  readonly policy: string
  readonly model?: string
  readonly window?: number
  readonly cache?: '5m' | '1h'
  readonly json?: true
}
