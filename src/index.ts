export * from './engine/index.ts'
export * from './models/index.ts'
