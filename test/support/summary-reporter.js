/** Ends a test run with one plain line that people and machines read alike. */
export default class SummaryReporter {
  onTestRunEnd(modules, errors) {
    let passed = 0;
    let failed = errors.length;
    for (const module of modules) {
      if (module.errors().length > 0) failed += 1;
      for (const test of module.children.allTests()) {
        if (test.result().state === 'passed') passed += 1;
        else failed += 1;
      }
    }
    process.on('exit', () => console.log(`${passed} passed, ${failed} failed`));
  }
}
