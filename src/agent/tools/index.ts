import type { Tool } from '../tool.ts'
import { bash } from './bash/bash.ts'
import { ownContext } from './context/context.ts'
import { edit } from './edit/edit.ts'
import { find } from './find/find.ts'
import { grep } from './grep/grep.ts'
import { job } from './job/job.ts'
import { ls } from './ls/ls.ts'
import { read } from './read/read.ts'
import { recallFromLog } from './recall/recall.ts'
import { task } from './task/task.ts'
import { todo } from './todo/todo.ts'
import { write } from './write/write.ts'

/** The agent's tools, always in this order: the provider's cache is keyed on it. */
export const TOOLS: readonly Tool[] = [
  read,
  write,
  edit,
  bash,
  job,
  grep,
  find,
  ls,
  todo,
  recallFromLog,
  ownContext,
  task,
]
