import { z } from 'zod'

/** One item of a to-do list. */
export type Todo = z.infer<typeof todoSchema>
export const todoSchema = z.strictObject({
  text: z.string(),
  status: z.enum(['pending', 'in-progress', 'done', 'cancelled']),
})
