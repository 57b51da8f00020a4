//! Columns of text that line up.

/// How a column is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Rows of cells, each column as wide as its widest cell.
#[derive(Debug)]
pub(crate) struct Table {
    sides: Vec<Side>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with a heading over each column.
    pub(crate) fn new<const N: usize>(columns: [(&str, Side); N]) -> Self {
        let heading = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
        Self { sides: columns.iter().map(|(_, side)| *side).collect(), rows: vec![heading] }
    }

    /// Adds a row; cells beyond the headings are dropped.
    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.into_iter().take(self.sides.len()).collect());
    }

    /// The rows, each behind `indent` and without spaces at its end.
    pub(crate) fn lines(&self, indent: &str) -> String {
        let wide = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| width(cell)).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.sides.len()).map(wide).collect();
        let mut lines = String::new();
        for row in &self.rows {
            let cells = row.iter().zip(&self.sides).zip(&widths);
            let line: Vec<String> =
                cells.map(|((cell, side), wide)| set(cell, *side, *wide)).collect();
            lines.push_str(format!("{indent}{}", line.join("  ")).trim_end());
            lines.push('\n');
        }
        lines
    }
}

/// `cell`, as wide as its column.
fn set(cell: &str, side: Side, wide: usize) -> String {
    let gap = " ".repeat(wide.saturating_sub(width(cell)));
    match side {
        Side::Left => format!("{cell}{gap}"),
        Side::Right => format!("{gap}{cell}"),
    }
}

/// Cells on a terminal: East Asian wide letters take two.
fn width(text: &str) -> usize {
    let wide = |letter: char| {
        matches!(letter, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}'
            | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}'
            | '\u{ffe0}'..='\u{ffe6}' | '\u{1f300}'..='\u{1faff}' | '\u{20000}'..='\u{3fffd}')
    };
    text.chars().map(|letter| 1 + usize::from(wide(letter))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_whatever_the_letters() {
        let mut table = Table::new([("name", Side::Left), ("bytes", Side::Right)]);
        table.row(["训练".to_owned(), "7".to_owned()]);
        table.row(["a".to_owned(), "123456".to_owned()]);
        let expected = "  name   bytes\n  训练       7\n  a     123456\n";
        assert_eq!(table.lines("  "), expected);
    }
}
