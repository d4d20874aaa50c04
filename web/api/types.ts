import type { z } from 'zod'
import type * as shapes from '../../src/contract/shapes.ts'

/** What crosses HTTP, as the server's contract says it: only types, nothing of the server is in the page. */
export type Session = z.infer<typeof shapes.sessionSchema>
export type SessionDetail = z.infer<typeof shapes.sessionDetailSchema>
export type Status = z.infer<typeof shapes.statusSchema>
export type Context = z.infer<typeof shapes.contextSchema>
export type ContextHistory = z.infer<typeof shapes.contextHistorySchema>
export type Point = z.infer<typeof shapes.pointSchema>
export type Mark = z.infer<typeof shapes.markSchema>
export type Parts = z.infer<typeof shapes.partsSchema>
export type Kind = keyof Parts
export type PlacedEntry = z.infer<typeof shapes.placedEntrySchema>
export type Message = z.infer<typeof shapes.messageSchema>
export type Compaction = z.infer<typeof shapes.compactionSchema>
export type CompactionDetail = z.infer<typeof shapes.compactionDetailSchema>
export type Fact = z.infer<typeof shapes.factSchema>
export type Preview = z.infer<typeof shapes.previewSchema>
export type CompactResult = z.infer<typeof shapes.compactResultSchema>
export type Hit = z.infer<typeof shapes.hitSchema>
export type SessionPage = { sessions: Session[]; next?: string }
export type EntryPage = { entries: PlacedEntry[]; first_seq?: number; last_seq?: number; more: boolean }
export type Token = { name: string; owner: string; access: 'read' | 'write'; version: string }
