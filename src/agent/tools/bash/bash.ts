import { z } from 'zod'
import { outcomeOf } from '../../../engine/extract/calls/call-outcome.ts'
import { AbortReason, abortCause } from '../../interruption.ts'
import { protectedRules } from '../../protected-paths.ts'
import type { NeverRule, Sandbox } from '../../sandbox/sandbox.ts'
import { hiddenText, secretsNamed, stoppedText } from '../../sandbox/stopped-text.ts'
import { defineTool, refused, type Tool, type ToolOutput } from '../../tool.ts'
import type { CommandOutput } from './command-output.ts'
import { protectedState } from './protected-state.ts'
import { type CommandEnd, startCommand } from './run-command.ts'
import { setAsideNew } from './set-aside.ts'

const BASH_DESCRIPTION = `Runs a command line with bash in the workspace's folder and answers with its output (standard output and errors, as they came) and, in the last line, its exit code.

- Each call is a shell of its own: \`cd\` and variables do not last. Standard input is closed; nothing can be typed.
- \`timeoutSeconds\`: 120 unless you say otherwise, 600 at most. Then the command and all it started are killed.
- \`background\`: for a server, or a build or test that takes minutes. You get a handle at once and the command runs on, without a time limit, until it ends or the program ends. \`job\` reads its output and stops it, and its end is reported to you. What a plain \`&\` leaves ends with the command in a sandbox.
- To read, search and change files use \`read\`, \`grep\`, \`find\`, \`ls\`, \`edit\` and \`write\`: they are safer and remember what you know.`

const inputSchema = z.strictObject({
  command: z
    .string()
    .refine((text) => text.trim() !== '' && !text.includes('\0'), 'is empty or has a NUL character')
    .describe('The command line'),
  outsideSandbox: z
    .boolean()
    .optional()
    .describe(
      'Ask the user to run it without the sandbox, after the sandbox has stopped it. Only for one command alone in its line',
    ),
  background: z.boolean().optional().describe('Run it in the background and answer at once with its handle'),
  timeoutSeconds: z.number().positive().max(600).optional().describe('Killed after this time; 120 by default'),
})
type Input = z.infer<typeof inputSchema>

const DEFAULT_SECONDS = 120
const RAN_TWICE = 'the sandbox stopped this command, so it ran a second time, outside, as the user allowed'

/** Runs a command line in the workspace, with limits of time and output. */
export const bash: Tool = defineTool<Input>({
  name: 'bash',
  description: BASH_DESCRIPTION,
  input: inputSchema,
  parallel: false,
  permission: async ({ command, outsideSandbox }, { sandbox }) =>
    outsideSandbox === true && sandbox !== undefined
      ? { kind: 'command', command, outside: true }
      : { kind: 'command', command },
  run: async ({ command, outsideSandbox, background = false, timeoutSeconds = DEFAULT_SECONDS }, context) => {
    const { jobs } = context
    if (background && jobs === undefined) return refused('Commands cannot run in the background here')
    if (background && jobs?.table.full !== undefined) return refused(jobs.table.full)
    const { workspace, permit, allowed } = context
    const { outside = outsideSandbox, writes: open = [] } = allowed?.kind === 'command' ? allowed : {}
    const sandbox = outside === true ? undefined : context.sandbox
    const never = [...(context.never?.() ?? []), ...protectedRules(workspace, open)]
    const before = sandbox && protectedState(workspace, never)
    const stop = new AbortController()
    const begun = performance.now()
    let isJob = background
    const order = {
      command,
      never,
      folder: workspace,
      env: { ...context.env, ...QUIET, ...(context.byUser === true ? {} : UNATTENDED) },
      timeoutMs: timeoutSeconds * 1_000,
      signal: context.signal,
      onOutput: (text: string) => isJob || context.onOutput?.(text),
    }
    const running = await startCommand({ ...order, sandbox, canOutlive: background })
    const answer = running.ended.then(async (ended) => {
      // Nobody can be asked about a file that a command in the background made: it stays aside.
      const asking = isJob ? undefined : permit
      const notes = before === undefined ? [] : await setAsideNew(before, never, { workspace, permit: asking, open })
      const signal = isJob ? stop.signal : context.signal
      const first = outputOf(ended, { timeoutSeconds, signal, sandbox, never, notes })
      const hasFailed = ended.end.kind === 'exited' && first.exit !== 0
      const needs = sandbox !== undefined && hasFailed ? secretsNamed(sandbox, ended.output.text) : []
      if (needs.length === 0) return first
      const again = await asking?.({ kind: 'command', command, outside: true, needs, again: true })
      const ranTwice = again?.ok === true
      const text = hiddenText(needs, again?.ok === false ? again.reason : undefined)
      return outputOf(ranTwice ? await (await startCommand(order)).ended : ended, {
        timeoutSeconds,
        signal,
        sandbox: ranTwice ? undefined : sandbox,
        never,
        notes: [...notes, ranTwice ? `(${RAN_TWICE})` : text],
      })
    })
    if (jobs === undefined) return (await answer).output
    if (!background) {
      const { leaves, forget } = jobs.table.foreground()
      const ended = await Promise.race([answer, leaves]).finally(forget)
      if (ended !== undefined) return ended.output
    }
    isJob = true
    running.unlimit()
    const { id } = jobs.table.add(jobs.owner, {
      ...running,
      command,
      ranMs: background ? 0 : performance.now() - begun,
      ended: answer.then(({ output, exit }) => ({ ...output, exit })),
      stop: (why) => {
        stop.abort(new AbortReason(why))
        running.stop()
      },
    })
    const by = background ? '' : ', where the user sent it'
    return {
      text: `Command running in background with ID: ${id}${by}. The tool job reads its output and stops it; its end is reported to you.`,
    }
  },
})

function outputOf(
  { output: { text: printed, raw }, end }: { output: CommandOutput; end: CommandEnd },
  { timeoutSeconds, signal, sandbox, never, notes: more }: CommandBounds & CommandWall,
): { readonly output: ToolOutput; readonly exit: number } {
  const { exit, note, isError } = reportOf(end, { timeoutSeconds, signal })
  const stopped = sandbox && stoppedText(sandbox, { output: printed, exit, never })
  const notes = [note, stopped, ...more].filter((text) => text !== undefined)
  const lines = [printed.replace(/\n$/, '') || '(no output)', ...notes]
  const text = `${lines.join('\n')}\n[exit code: ${exit}]`
  const { exit: read, ok } = outcomeOf({ type: isError ? 'error-text' : 'text', value: text })
  // An output that begins like another agent's report would be misread, so it gets a heading.
  const isClear = read === exit && ok === (exit === 0 && !isError)
  const output = {
    text: isClear ? text : `Output:\n${text}`,
    ...(raw === undefined ? {} : { raw }),
    ...(isError ? { isError } : {}),
  }
  return { exit, output }
}

/** The sandbox of a command, the rules that it kept, and lines about what was done after it. */
type CommandWall = {
  readonly sandbox: Sandbox | undefined
  readonly never: readonly NeverRule[]
  readonly notes: readonly string[]
}

/** The limits that may end a command early. */
type CommandBounds = { readonly timeoutSeconds: number; readonly signal: AbortSignal }

type EndReport = { readonly exit: number; readonly note?: string; readonly isError: boolean }

/** The exit code that a shell would report, and a note if the code alone is not clear. */
function reportOf(end: CommandEnd, { timeoutSeconds, signal }: CommandBounds): EndReport {
  switch (end.kind) {
    case 'exited':
      return { exit: end.code, isError: false, note: backgroundNote(end) }
    case 'signalled':
      return { exit: 128 + end.number, isError: false, note: `(killed by ${end.signal})` }
    case 'timed-out':
      return {
        exit: 124,
        isError: true,
        note: `(timed out after ${timeoutSeconds} s and was killed, with all it started)`,
      }
    case 'aborted':
      return { exit: 130, isError: true, note: `(aborted ${abortCause(signal)} and killed, with all it started)` }
    case 'not-started':
      return { exit: 126, isError: true, note: `(could not be started: ${end.why})` }
  }
}

function backgroundNote({ group, endedOthers }: Extract<CommandEnd, { kind: 'exited' }>): string | undefined {
  if (endedOthers === true)
    return '(what it left in the background was ended with it: use a server in the same command)'
  if (group === undefined) return undefined
  return `(something it started still runs in the background; to end it: kill -- -${group})`
}

/** For the environment of a command: no pager and no colours, because its output is not a terminal. */
const QUIET: Readonly<Record<string, string>> = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: '',
}

/** Of a model's command: no editor and no prompt, because nobody answers. */
const UNATTENDED: Readonly<Record<string, string>> = {
  EDITOR: 'true',
  VISUAL: 'true',
  GIT_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  DEBIAN_FRONTEND: 'noninteractive',
  PIP_NO_INPUT: '1',
}
