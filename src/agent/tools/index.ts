import type { Tool } from '../tool.ts'
import { bash } from './bash.ts'
import { edit } from './edit.ts'
import { find } from './find.ts'
import { grep } from './grep.ts'
import { ls } from './ls.ts'
import { read } from './read.ts'
import { recall } from './recall.ts'
import { todo } from './todo.ts'
import { write } from './write.ts'

/** The agent's tools, always in this order: the provider's cache is keyed on it. */
export const TOOLS: readonly Tool[] = [read, write, edit, bash, grep, find, ls, todo, recall]
