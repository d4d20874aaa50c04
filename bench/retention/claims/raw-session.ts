/**
 * Sessions of other agents, read from their files by a parser of the benchmark's own. It imports nothing from `src`: what
 * the engine overlooks must not be overlooked here for the same reason.
 */

/** A tool call with everything that the file shows of its result, including what a later call fetched for it. */
export type RawStep = {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly folder: string
  output: string
  /** Undefined if the file does not say how it ended. */
  ok: boolean | undefined
}

/** The steps of a session in the order in which they began; undefined for a format that is not read here. */
export function rawSteps(text: string): RawStep[] | undefined {
  const rows = rowsOf(text)
  if (rows.some(({ type }) => type === 'response_item')) return codexSteps(rows)
  if (rows.some(({ type }) => type === 'assistant.message')) return copilotSteps(rows)
  if (rows.some((row) => row.type === 'message' && fields(row.message).role !== undefined)) return piSteps(rows)
  if (rows.some(({ type, uuid }) => type === 'assistant' && uuid !== undefined)) return claudeSteps(rows)
  const [only] = rows
  return only !== undefined && Array.isArray(only.messages) && only.info !== undefined ? opencodeSteps(only) : undefined
}

/** The calls that are still open after these lines: a record can be made only when there are none. */
export function hasOpenCalls(text: string): boolean {
  return rawSteps(text)?.some(({ output, ok }) => output === OPEN && ok === undefined) ?? false
}

const OPEN = '\u0000open'

type Row = Readonly<Record<string, unknown>>

function rowsOf(text: string): Row[] {
  try {
    return [fields(JSON.parse(text))]
  } catch {
    return text.split('\n').flatMap((line) => {
      try {
        return line.trim() === '' ? [] : [fields(JSON.parse(line))]
      } catch {
        return []
      }
    })
  }
}

function fields(value: unknown): Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : {}
}

function list(value: unknown): Row[] {
  return Array.isArray(value) ? value.map(fields) : []
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  return list(content)
    .map(({ text }) => string(text))
    .join('\n')
}

class Steps {
  readonly all: RawStep[] = []
  readonly #open = new Map<string, RawStep[]>()

  begin(id: unknown, tool: unknown, input: unknown, folder: string): RawStep {
    const step: RawStep = {
      tool: string(tool),
      input: fields(input),
      folder: absolute(folder, ''),
      output: OPEN,
      ok: undefined,
    }
    this.all.push(step)
    this.#open.set(string(id), [...(this.#open.get(string(id)) ?? []), step])
    return step
  }

  end(id: unknown, output: string, ok: boolean | undefined): RawStep | undefined {
    const step = this.#open.get(string(id))?.shift()
    if (step !== undefined) Object.assign(step, { output, ok: ok ?? exitIn(output) })
    return step
  }
}

/** The exit status that an agent writes into the first or last lines of a result. */
function exitIn(output: string): boolean | undefined {
  const ends = `${output.slice(0, 400)}\n${output.slice(-200)}`
  const code = /(?:exit(?:ed)? (?:with )?code:? |"exit_code": ?|exit code )(-?\d+)/i.exec(ends)?.[1]
  return code === undefined ? undefined : code === '0'
}

function claudeSteps(rows: readonly Row[]): RawStep[] {
  const steps = new Steps()
  const tasks = new Map<string, RawStep>()
  for (const row of rows) {
    if (row.isSidechain === true) continue
    const folder = string(row.cwd)
    for (const part of list(fields(row.message).content)) {
      if (part.type === 'tool_use') steps.begin(part.id, part.name, part.input, folder)
      if (part.type !== 'tool_result') continue
      const text = textIn(part.content)
      const step = steps.end(part.tool_use_id, text, part.is_error === true ? false : undefined)
      if (step === undefined) continue
      const started = /running in (?:the )?background with (?:task )?id:? (\S+?)[.\s]/i.exec(`${text} `)?.[1]
      if (step.tool === 'Bash' && started !== undefined) tasks.set(started, Object.assign(step, { ok: undefined }))
      else if (step.tool === 'Bash' && step.ok === undefined) step.ok = true
      const task = tasks.get(string(step.input.task_id) || string(step.input.bash_id))
      if (task === undefined) continue
      task.output += `\n${text}`
      task.ok = exitIn(text) ?? (/<status>completed|<exit_code>0/.test(text) ? true : task.ok)
    }
  }
  return steps.all
}

function codexSteps(rows: readonly Row[]): RawStep[] {
  const steps = new Steps()
  const running = new Map<string, RawStep>()
  let folder = ''
  for (const { type, payload } of rows) {
    const item = fields(payload)
    if (type === 'session_meta' || type === 'turn_context') folder = string(item.cwd) || folder
    if (item.type === 'function_call' || item.type === 'custom_tool_call') {
      const input = item.type === 'function_call' ? parsed(string(item.arguments)) : { input: item.input }
      const at = string(input.workdir) || string(fields(input).cwd)
      steps.begin(item.call_id, item.name, input, at === '' ? folder : absolute(at, folder))
    }
    if (item.type !== 'function_call_output' && item.type !== 'custom_tool_call_output') continue
    const text = typeof item.output === 'string' ? item.output : textIn(item.output)
    const step = steps.end(item.call_id, text, undefined)
    if (step === undefined) continue
    const session = /session ID (\d+)/.exec(text)?.[1]
    const id = session ?? String(step.input.session_id ?? '')
    const origin = step.tool === 'write_stdin' ? running.get(String(step.input.session_id ?? '')) : undefined
    if (origin !== undefined) {
      origin.output += `\n${text}`
      origin.ok = exitIn(text) ?? origin.ok
    } else if (session !== undefined) running.set(id, step)
  }
  return steps.all
}

function parsed(text: string): Row {
  try {
    return fields(JSON.parse(text))
  } catch {
    return {}
  }
}

function piSteps(rows: readonly Row[]): RawStep[] {
  const steps = new Steps()
  let folder = ''
  for (const row of rows) {
    if (row.type === 'session') folder = string(row.cwd)
    const message = fields(row.message)
    for (const part of list(message.content)) {
      if (part.type === 'toolCall') steps.begin(part.id, part.name, part.arguments, folder)
    }
    if (message.role === 'toolResult') {
      const step = steps.end(message.toolCallId, textIn(message.content), message.isError === true ? false : undefined)
      if (step !== undefined) step.ok ??= true
    }
  }
  return steps.all
}

function copilotSteps(rows: readonly Row[]): RawStep[] {
  const steps = new Steps()
  let folder = ''
  for (const { type, data } of rows) {
    const event = fields(data)
    if (type === 'session.start') folder = string(fields(event.context).cwd)
    if (type === 'tool.execution_start') steps.begin(event.toolCallId, event.toolName, event.arguments, folder)
    if (type === 'tool.execution_complete') {
      const text = string(fields(event.result).content)
      const step = steps.end(event.toolCallId, text, event.success === false ? false : undefined)
      if (step !== undefined) step.ok ??= true
    }
  }
  return steps.all
}

function opencodeSteps({ messages, info }: Row): RawStep[] {
  const steps = new Steps()
  const folder = string(fields(info).directory)
  for (const part of list(messages).flatMap((message) => list(message.parts))) {
    if (part.type !== 'tool') continue
    const state = fields(part.state)
    const step = steps.begin(part.callID, part.tool, state.input, folder)
    const exit = fields(state.metadata).exit
    const ok = state.status === 'error' ? false : typeof exit === 'number' ? exit === 0 : state.status === 'completed'
    steps.end(part.callID, string(state.output) || string(state.error), ok)
    step.ok = ok
  }
  return steps.all
}

/** A path with its folder, without `.` and `..`. */
export function absolute(path: string, folder: string): string {
  // Git Bash writes `D:\\x` as `/d/x`.
  const slashes = (text: string) =>
    text.replaceAll('\\', '/').replace(/^\/([a-z])\//, (_, drive) => `${drive.toUpperCase()}:/`)
  const all = /^(?:\/|~|[A-Za-z]:)/.test(path) ? slashes(path) : `${slashes(folder)}/${path}`
  const parts: string[] = []
  for (const part of all.split('/')) {
    if (part === '..' && parts.length > 1) parts.pop()
    else if (part !== '.' && (part !== '' || parts.length === 0)) parts.push(part)
  }
  return parts.join('/')
}
