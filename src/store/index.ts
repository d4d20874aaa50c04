export { dataFolder } from '../config/places/folders.ts'
export { openStore } from './open-store.ts'
export type {
  AppendOptions,
  AppendResult,
  BadRow,
  DeleteResult,
  EntryPage,
  EntryQuery,
  Hit,
  Lease,
  LogChange,
  SearchQuery,
  Session,
  SessionDraft,
  SessionId,
  SessionPage,
  SessionQuery,
  Signal,
  Store,
  StoreDeps,
} from './store.ts'
