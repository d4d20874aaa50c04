import { type Command, InvalidArgumentError, Option } from 'commander'
import { countOption, examples, tokensOption } from '../../options/options.ts'

/** `pith eval`: measures any compactor. */
export function evalCommand(pith: Command): void {
  const command = pith
    .command('eval')
    .description('measure what a compactor keeps of long sessions, over several compactions; Pith’s or your own')
    .option(
      '--compactor <WHAT>',
      'pith, a module (./mine.ts), a command ("python3 mine.py") or an http address; may be repeated',
      each,
      [],
    )
    .option('--sessions <PLACE>', 'session files of any agent: a folder or a file (default: made-up sessions)')
    .option(
      '--made <NUMBER>',
      'how many made-up sessions: beside --sessions both are measured (default: 5)',
      countOption,
    )
    .option('--forms <FILE>', 'make them from your own texts and commands instead of the bundled ones')
    .option('--seed <NUMBER>', 'the first seed: others make other sessions (default: 1)', countOption)
    .option('--window <TOKENS>', 'the context window', tokensOption, 64_000)
    .option('--target <TOKENS>', 'the tokens that a compaction should leave', tokensOption, 16_000)
    .option('--rounds <NUMBER>', 'how many compactions in a row (default: 5; readers: 4)', countOption)
    .option('--curve', 'also four windows and targets: 64k/8k, 64k/16k, 200k/28k, 200k/60k')
    .addOption(new Option('--rows <WHICH>', 'all: also the parts that the rows are made of').choices(['all']))
    .option('--out <FOLDER>', 'write report.json, report.html and times.json there')
    .option('--json', 'print the report as JSON')
    .option('--min <FIGURE=VALUE>', 'exit 1 if a figure is less, as in rules=1; may be repeated', each, [])
    .option('--max <FIGURE=VALUE>', 'exit 1 if a figure is more, as in invented=0; may be repeated', each, [])
    .option('--max-false <SHARE>', 'the same as --max false=SHARE', shareOption)
    .option('--timeout <SECONDS>', 'how long a compaction may take', countOption, 300)
    .option('--no-baselines', 'leave out the baselines: the newest messages, and names only')
    .option('-y, --yes', 'send sessions to an http address without asking')
    .addHelpText(
      'after',
      examples(
        'pith eval',
        'pith eval --compactor MINE.ts --compactor pith --out report',
        'pith eval --compactor "python3 MINE.py" --sessions FOLDER',
        'pith eval --compactor MINE.ts --min rules=1 --max-false 0.01 --no-baselines',
        'pith eval readers kit --compactor MINE.ts --compactor pith',
      ),
    )
    .action(async (options: Given) => (await import('./eval-compactors.ts')).evalCompactors({ rounds: 5, ...options }))
  command
    .command('readers')
    .description('a blind test with readers: writes questions, contexts and marks as files, one stage at each run')
    .argument('<folder>', 'the folder of the test; a run continues where the last one stopped')
    .action(async (folder: string, _: unknown, own: Command) =>
      (await import('./eval-readers.ts')).evalReaders(folder, {
        rounds: 4,
        ...own.optsWithGlobals<Given & ReaderFlags>(),
      }),
    )
    .option('--judges <NUMBER>', 'how many judges mark each answer', countOption, 2)
    .option('--with-recall', 'also readers who may call recall, for each compactor that has one')
    .addHelpText(
      'after',
      `
Sessions, --window, --target and --rounds are chosen as for pith eval. Readers get the context after the last
of the --rounds compactions. A session that is too short for that is left out and named: a smaller window has
more compactions, as in --window 32k --target 8k.
${examples(
  'pith eval readers kit --compactor MINE.ts --compactor pith',
  'pith eval readers kit --compactor pith --with-recall --sessions FOLDER --window 32k --target 8k',
)}`,
    )
}

export type EvalFlags = {
  readonly compactor: readonly string[]
  readonly sessions?: string
  readonly made?: number
  readonly forms?: string
  readonly seed?: number
  readonly window: number
  readonly target: number
  readonly rounds: number
  readonly curve?: true
  readonly rows?: 'all'
  readonly out?: string
  readonly json?: true
  readonly min: readonly string[]
  readonly max: readonly string[]
  readonly maxFalse?: number
  readonly timeout: number
  readonly baselines: boolean
  readonly yes?: true
}

/** Commands have different defaults for the rounds. */
type Given = Omit<EvalFlags, 'rounds'> & { readonly rounds?: number }

export type ReaderFlags = { readonly judges: number; readonly withRecall?: true }

function each(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}

function shareOption(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError('Write a share from 0 to 1, such as 0.01')
  return value
}
