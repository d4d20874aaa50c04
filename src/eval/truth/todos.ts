import type { ToolStep } from './steps.ts'

export type TodoItem = { readonly text: string; readonly status: string }

/** The to-do list as last written: the last call that gives a whole one, or the tasks that were created and changed. */
export function lastTodos(steps: readonly ToolStep[]): {
  readonly items: readonly TodoItem[]
  readonly message: number
} {
  const tasks = new Map<string, TodoItem>()
  let written: { items: readonly TodoItem[]; message: number } = { items: [], message: 0 }
  for (const step of steps) {
    const list = /^(?:todowrite|update_plan|write_todos|update_todo|todo|task_tracker)$/.test(step.name)
      ? listIn(step.input)
      : []
    if (list.length > 0) written = { items: list, message: step.message }
    if (/^task(?:create|update)$/.test(step.name) && change(step, tasks))
      written = { items: [...tasks.values()], message: step.message }
  }
  return written
}

function listIn(input: unknown): TodoItem[] {
  if (typeof input !== 'object' || input === null) return []
  const list = Object.values(input).find((value) => Array.isArray(value))
  return (list ?? []).flatMap((item: unknown) => {
    const { content, step, text, title, status } = (item ?? {}) as Record<string, unknown>
    const label = [content, step, text, title].find((value) => typeof value === 'string')
    return label === undefined ? [] : [{ text: label, status: String(status ?? 'pending') }]
  })
}

function change({ name, input, output = '' }: ToolStep, tasks: Map<string, TodoItem>): boolean {
  const { taskId, subject, status } = (input ?? {}) as Record<string, unknown>
  const id = name === 'taskcreate' ? /^Task #(\w+)/.exec(output)?.[1] : String(taskId)
  const old = tasks.get(id ?? '')
  const text = typeof subject === 'string' ? subject : old?.text
  if (id === undefined || text === undefined) return false
  tasks.set(id, { text, status: String(status ?? old?.status ?? 'pending') })
  return true
}
