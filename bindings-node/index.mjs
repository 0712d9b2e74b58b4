// The same package for `import`.
export {
  TooltestError,
  fromConfig,
  lint,
  listTools,
  listToolsSync,
  merge,
  readTarget,
  render,
  renderFinding,
  replay,
  run,
  version,
} from './index.js'
