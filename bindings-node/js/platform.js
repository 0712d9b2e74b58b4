'use strict'
// Names of the platforms that addons are built for, as the platform packages carry them.

/**
 * Those that this process may be able to load, likeliest first. Which C library Linux uses is found out by trying.
 * @returns {string[]} for example `['linux-x64-gnu', 'linux-x64-musl']`
 */
function candidates() {
  const abis = { linux: ['-gnu', '-musl'], win32: ['-msvc'] }[String(process.platform)] ?? ['']
  return abis.map((abi) => `${process.platform}-${process.arch}${abi}`)
}

/**
 * The platform of this very process.
 * @returns {string} for example `linux-x64-gnu`
 */
function platform() {
  const [first, second] = candidates()
  if (second === undefined || !process.report) return first
  Object.assign(process.report, { excludeNetwork: true }) // a report would look every peer's name up
  const report = /** @type {{header: {glibcVersionRuntime?: string}}} */ (process.report.getReport())
  return report.header.glibcVersionRuntime ? first : second
}

module.exports = { candidates, platform }
