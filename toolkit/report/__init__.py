"""The page: findings first, then charts, then tables; one self-contained HTML file, or a workbook."""
