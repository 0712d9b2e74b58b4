// The same types for `import`.
export * from './index.js'
