/** Prints which client went through which scenario, and in how many seconds. */
export default class TableReporter {
  onTestRunEnd(modules) {
    const rows = new Map();
    const clients = [];
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const client = test.parent.name;
        if (!clients.includes(client)) clients.push(client);
        const row = rows.get(test.name) ?? {};
        rows.set(test.name, { ...row, [client]: outcome(test) });
      }
    }
    const width = Math.max(...[...rows.keys()].map((name) => name.length));
    const line = (name, cells) =>
      [name.padEnd(width), ...cells.map((cell, at) => cell.padStart(clients[at].length))].join('  ');
    const table = [...rows].map(([name, row]) =>
      line(
        name,
        clients.map((client) => row[client] ?? '-'),
      ),
    );
    process.on('exit', () => console.log(['', line('seconds', clients), ...table, ''].join('\n')));
  }
}

function outcome(test) {
  const { state } = test.result();
  return state === 'passed' ? ((test.diagnostic()?.duration ?? 0) / 1_000).toFixed(1) : state;
}
